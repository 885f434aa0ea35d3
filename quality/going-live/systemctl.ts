/**
 * A stand-in for systemctl on machines where systemd is not running. It reads the installed unit files, and starts and stops their programs
 * as the configured user, in the configured folder, with the configured environment and without privileges. It does not support hardening
 * with mounts and system call filters, `Restart=`, or starting at boot.
 */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const folder = process.env['FANTAIL_TRIAL'] ?? ''
const units = process.env['FANTAIL_UNITS'] ?? ''
const state = dirname(process.env['FANTAIL_STATE'] ?? '')
const [verb, ...names] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))

const acts: Record<string, (unit: string) => Promise<void>> = {
  start,
  enable: start,
  stop,
  async restart(unit) {
    await stop(unit)
    await start(unit)
  },
}

if (verb === 'daemon-reload') process.exit(0)
if (verb === 'reload' && names.join() === 'nginx') process.exit(reloadNginx())
const act = acts[verb ?? '']
if (!act || names.length === 0) throw new Error(`this stand-in knows no systemctl ${process.argv.slice(2).join(' ')}`)
for (const unit of names) await act(unit)

type Unit = { directives: Map<string, string[]> }

function readUnit(unit: string): Unit & { one(name: string): string } {
  const [base = '', instance] = unit.split('@')
  const text = readFileSync(join(units, `${base}${instance === undefined ? '' : '@'}.service`), 'utf8')
  const directives = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name) directives.set(name, [...(directives.get(name) ?? []), value.replaceAll('%i', instance ?? '')])
  }
  return { directives, one: (name) => directives.get(name)?.at(-1) ?? '' }
}

/** Reads a settings file with lines such as `NAME=value` or `NAME="value"`, like systemd. */
function readSettings(file: string): [string, string][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, quoted, bare = ''] = /^([A-Z0-9_]+)=(?:"(.*)"|(.*))$/.exec(line) ?? []
      return name ? [[name, quoted ?? bare] as [string, string]] : []
    })
}

async function start(unit: string): Promise<void> {
  const { directives, one } = readUnit(unit)
  const isOneShot = one('Type') === 'oneshot'
  if (isRunning(unit)) return
  const [user, group] = [one('User'), one('Group')]
  for (const name of (directives.get('StateDirectory') ?? []).flatMap((names) => names.split(' '))) {
    const place = join(state, name)
    mkdirSync(place, { recursive: true, mode: 0o700 })
    spawnSync('chown', [`${user}:${group}`, place])
  }
  const own = (directives.get('Environment') ?? []).map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])
  const env = Object.fromEntries([
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ...own,
    // As with systemd, settings from `EnvironmentFile` override those in the unit.
    ...(directives.get('EnvironmentFile') ?? []).flatMap(readSettings),
  ])
  const journal = openSync(join(folder, `${unit}.log`), 'a')
  const unprivilegedOptions = [
    '--reuid',
    user,
    '--regid',
    group,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ]
  const child = spawn('setpriv', [...unprivilegedOptions, '--inh-caps=-all', ...one('ExecStart').split(' ')], {
    cwd: one('WorkingDirectory'),
    env,
    detached: true,
    stdio: ['ignore', journal, journal],
  })
  if (isOneShot) {
    const code = await new Promise((resolve) => child.once('close', resolve))
    if (code === 0) return
    console.error(`${unit} failed:\n${readFileSync(join(folder, `${unit}.log`), 'utf8')}`)
    process.exit(1)
  }
  writeFileSync(getPidFilePath(unit), String(child.pid))
  child.unref()
}

async function stop(unit: string): Promise<void> {
  if (!isRunning(unit)) return rmSync(getPidFilePath(unit), { force: true })
  const pid = Number(readFileSync(getPidFilePath(unit), 'utf8'))
  process.kill(pid, readUnit(unit).one('KillSignal') as NodeJS.Signals)
  const end = performance.now() + Number(readUnit(unit).one('TimeoutStopSec')) * 1_000
  while (isRunning(unit)) {
    if (performance.now() > end) {
      appendFileSync(join(folder, 'killed.log'), `${unit}\n`)
      process.kill(pid, 'SIGKILL')
    }
    await pause(50)
  }
  rmSync(getPidFilePath(unit), { force: true })
}

function getPidFilePath(unit: string): string {
  return join(folder, `${unit}.pid`)
}

function isRunning(unit: string): boolean {
  if (!existsSync(getPidFilePath(unit))) return false
  const stat = `/proc/${readFileSync(getPidFilePath(unit), 'utf8')}/stat`
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'))
}

/** Reloads nginx. The first call starts it: Debian's package would already have started nginx, but this stand-in does not. */
function reloadNginx(): number {
  const file = join(folder, 'nginx.pid')
  // The pid file may be empty, because `nginx -t` creates it that way.
  const hasPid = existsSync(file) && readFileSync(file, 'utf8').trim() !== ''
  return spawnSync('nginx', hasPid ? ['-s', 'reload'] : [], { stdio: 'inherit' }).status ?? 1
}
