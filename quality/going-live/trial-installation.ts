import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#kit/server/free-port.ts'
import type { InstallationVariable } from './guide-variables.ts'
import { createProviderFolder, trialProviderValues } from './trial-provider.ts'

const root = join(import.meta.dirname, '../..')

export type Place = {
  folder: string
  names: Map<string, string>
  env: Record<string, string>
  clear(): void
}

const findFourPorts = async () =>
  [await findFreePort(), await findFreePort(), await findFreePort(), await findFreePort()] as const

/**
 * Creates folders, ports, a user name and a PostgreSQL cluster that nothing else uses.
 * @throws an error with a one-line message that says what is missing
 */
export async function createTrialInstallation(): Promise<Place> {
  if (process.getuid?.() !== 0) throw new Error('Run this as root on Debian: the page makes a user, and a database.')
  const version = findNewestPostgres()
  const name = `fantailtrial${randomBytes(3).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'fantail-going-live-'))
  // The user that runs Fantail must be able to access the folder.
  chmodSync(folder, 0o755)
  for (const each of ['bin', 'units', 'nginx/conf.d', 'nginx/log']) mkdirSync(join(folder, each), { recursive: true })
  const [https, http, postgres, standby] = await findFourPorts()
  const portPrefixes = await findPortPrefixes()
  writeFileSync(join(folder, 'nginx/nginx.conf'), buildNginxConfig(folder))
  writeFakeCommands(folder)
  copySource(join(folder, 'source.git'))
  createProviderFolder(join(folder, 'brand'))
  run('pg_createcluster', [version, name, '--port', String(postgres)])
  run('pg_ctlcluster', ['--skip-systemctl-redirect', version, name, 'start'])

  const names: Record<InstallationVariable, string> = {
    FANTAIL_HOST: 'localhost',
    FANTAIL_URL: `https://localhost:${https}`,
    FANTAIL_DESK_HOST: 'desk.localhost',
    FANTAIL_DESK_URL: `https://desk.localhost:${https}`,
    FANTAIL_SOURCE: `file://${folder}/source.git`,
    FANTAIL_VERSION: 'v1',
    FANTAIL_DATABASE: name,
    FANTAIL_USER: name,
    FANTAIL_HOME: join(folder, 'opt'),
    FANTAIL_ETC: join(folder, 'etc'),
    FANTAIL_STATE: join(folder, 'lib/fantail'),
    FANTAIL_BACKUP: join(folder, 'backup'),
    FANTAIL_PORTS: portPrefixes[0],
    PGPORT: String(postgres),
    STANDBY_CLUSTER: `${name}b`,
    STANDBY_PORT: String(standby),
    PRIMARY_CLUSTER: name,
    PGVERSION: version,
    ...trialProviderValues(folder),
  }
  return {
    folder,
    names: new Map(Object.entries(names)),
    env: {
      PATH: `${folder}/bin:${getPathWithoutPackages()}`,
      HOME: process.env['HOME'] ?? '/root',
      LANG: 'C.UTF-8',
      DEBIAN_FRONTEND: 'noninteractive',
      FANTAIL_TRIAL: folder,
      FANTAIL_UNITS: join(folder, 'units'),
      FANTAIL_NGINX: join(folder, 'nginx'),
      FANTAIL_NGINX_CACHE: join(folder, 'nginx/cache'),
      FANTAIL_NGINX_LOG: join(folder, 'nginx/log'),
      FANTAIL_HTTP_PORT: String(http),
      FANTAIL_HTTPS_PORT: String(https),
      FANTAIL_OPS_PORTS: portPrefixes[1],
      FANTAIL_DESK_PORTS: portPrefixes[2],
    },
    clear: () => clear(folder, { name, version }),
  }
}

function clear(folder: string, { name, version }: { name: string; version: string }): void {
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.pid'))) {
    const pid = Number(readFileSync(join(folder, file), 'utf8'))
    // Check the command line before killing the process, because a different program may have been given the same process id since.
    const command = `/proc/${pid}/cmdline`
    const isOwnProcess = existsSync(command) && /app\/main\.ts|nginx/.test(readFileSync(command, 'utf8'))
    if (isOwnProcess) process.kill(pid, file === 'nginx.pid' ? 'SIGTERM' : 'SIGKILL')
  }
  for (const cluster of [name, `${name}b`]) spawnSync('pg_dropcluster', ['--stop', version, cluster])
  spawnSync('userdel', [name])
  rmSync(folder, { recursive: true, force: true })
}

function copySource(folder: string): void {
  run('git', ['clone', '--quiet', '--bare', root, folder])
  for (const tag of ['v1', 'v2']) run('git', ['-C', folder, 'tag', '--force', tag, readHeadCommit()])
}

const readHeadCommit = (): string => run('git', ['-C', root, 'rev-parse', 'HEAD']).trim()

/** Writes stand-ins for systemctl and nginx, because systemd is not running and nginx must use its own folder instead of /etc/nginx. */
function writeFakeCommands(folder: string): void {
  const fakeCommands = {
    systemctl: `exec ${process.execPath} ${join(root, 'quality/going-live/systemctl.ts')} "$@"`,
    nginx: `exec /usr/sbin/nginx -c ${folder}/nginx/nginx.conf "$@"`,
  }
  for (const [name, line] of Object.entries(fakeCommands))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
}

function buildNginxConfig(folder: string): string {
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `  ${each}_temp_path ${folder}/nginx/${each};`,
  )
  return [
    'user www-data;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/nginx/log/error.log;`,
    'worker_processes 2;',
    'events { worker_connections 768; }',
    'http {',
    '  access_log off;',
    ...temporaryPaths,
    `  include ${folder}/nginx/conf.d/*.conf;`,
    '}',
    '',
  ].join('\n')
}

/** Finds prefixes of port numbers for the portal, for metrics and for the desk. */
async function findPortPrefixes(): Promise<[string, string, string]> {
  const found: string[] = []
  for (let prefix = 200 + Math.floor(Math.random() * 60); prefix < 320; prefix++) {
    const ports = ['01', '02', '11', '12'].map((end) => Number(`${prefix}${end}`))
    if ((await Promise.all(ports.map(isPortFree))).every(Boolean)) found.push(String(prefix))
    const [portal, ops, desk] = found
    if (portal && ops && desk) return [portal, ops, desk]
  }
  throw new Error('No three groups of four ports between 20000 and 32000 are free.')
}

function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Returns the machine's own PATH, without the folders that npm puts in front, because a server does not have those. */
const getPathWithoutPackages = (): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((each) => !each.includes('node_modules'))
    .join(':')

function findNewestPostgres(): string {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((each) => existsSync(join(folder, each, 'bin/initdb')))
    : []
  const [newest] = versions.toSorted((one, other) => Number(other) - Number(one))
  if (!newest) throw new Error('PostgreSQL is not installed: apt-get install postgresql.')
  return newest
}

function run(command: string, args: string[]): string {
  const done = spawnSync(command, args, { encoding: 'utf8', cwd: '/' })
  if (done.error) throw new Error(`${command}: ${done.error.message}`)
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr.trim()}`)
  return done.stdout
}
