import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const isRoot = process.getuid?.() === 0
const execute = promisify(execFile)

/** The operating system user that runs PostgreSQL on Debian. PostgreSQL refuses to run as root. */
const owner = 'postgres'

/** Returns the folder with the programs for the newest PostgreSQL that Debian has installed; null if there is none. */
const newestVersion = (): string | null =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .toSorted((a, b) => Number(a.split('/')[4]) - Number(b.split('/')[4]))
    .at(-1) ?? null

/**
 * Returns a one-line reason why PostgreSQL servers cannot run on this machine; null if they can. Root may install PostgreSQL when it is
 * needed.
 */
export const explainMissingServer = (): string | null =>
  isRoot || newestVersion()
    ? null
    : 'PostgreSQL is not installed: run apt-get install postgresql, run this as root on Debian, or set DATABASE_URL.'

function installPostgres(): void {
  console.log('Installing PostgreSQL …')
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'postgresql')
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { error, status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env, cwd: '/' })
  if (error) throw new Error(`apt-get: ${error.message}`)
  if (status !== 0) throw new Error(`apt-get ${args[0] ?? ''}: ${stderr.trim()}`)
}

/**
 * Returns the folder with PostgreSQL's programs, installing PostgreSQL if that is necessary and allowed.
 * @throws an error with a one-line message that says what is missing
 */
export function findBinaries(): string {
  if (!newestVersion() && isRoot) installPostgres()
  const found = newestVersion()
  if (!found)
    throw new Error(
      explainMissingServer() ?? 'PostgreSQL was installed, but its programs are not in /usr/lib/postgresql.',
    )
  return found
}

/**
 * Returns a command line that runs a program as PostgreSQL's user. The program replaces the spawned process, and stops when our own process
 * dies.
 */
export const buildOwnerCommand = (program: string, args: string[]): [program: string, args: string[]] => [
  'setpriv',
  [...(isRoot ? [`--reuid=${owner}`, `--regid=${owner}`, '--clear-groups'] : []), '--pdeathsig=QUIT', program, ...args],
]

/**
 * Runs one of PostgreSQL's programs to completion. The call is asynchronous, so that proxies and simulators in this process keep working.
 */
export async function runAsOwner(program: string, args: string[]): Promise<string> {
  const { stdout } = await execute(...buildOwnerCommand(join(findBinaries(), program), args), {
    cwd: '/',
    env: cleanEnvironment,
  })
  return stdout
}

export async function changeOwner(folder: string): Promise<void> {
  if (isRoot) await execute('chown', [`${owner}:${owner}`, folder])
}

/** An environment without our own variables, because some of them, such as `PGHOST`, would point to a different server. */
export const cleanEnvironment = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' }
