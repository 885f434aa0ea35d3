import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/**
 * A database of its own, with a role of its own that may make more, on this machine's PostgreSQL (Debian's way of
 * keeping one, as root): installed where it is absent, started where it is not running. Give it back when done.
 * @throws one line that says what is missing
 */
export function borrowPostgres(): { url: string; giveBack(): void } {
  if (process.getuid?.() !== 0) {
    throw new Error(
      'Set DATABASE_URL to a PostgreSQL database whose role may create databases and roles, or run this as root on Debian.',
    )
  }
  const cluster = firstCluster() ?? install()
  const startedHere = !cluster.online
  if (startedHere) control(cluster, 'start')

  const name = `fantail_test_${randomBytes(4).toString('hex')}`
  const password = randomBytes(16).toString('hex')
  const sql = (...statements: string[]) =>
    run('runuser', [
      '-u',
      'postgres',
      '--',
      'psql',
      '-qX',
      '-v',
      'ON_ERROR_STOP=1',
      '-p',
      cluster.port,
      ...statements.flatMap((each) => ['-c', each]),
    ])
  const stop = () => {
    if (startedHere) control(cluster, 'stop')
  }
  try {
    sql(`create role ${name} login createdb createrole password '${password}'`, `create database ${name} owner ${name}`)
  } catch (error) {
    stop()
    throw error
  }
  return {
    url: `postgres://${name}:${password}@127.0.0.1:${cluster.port}/${name}`,
    giveBack() {
      try {
        dropAllOf(name, sql)
      } finally {
        stop()
      }
    },
  }
}

type Cluster = { version: string; name: string; port: string; online: boolean }

function firstCluster(): Cluster | null {
  const listed = spawnSync('pg_lsclusters', ['-h'], { encoding: 'utf8' })
  const [version, name, port, status] = listed.stdout?.split('\n')[0]?.trim().split(/\s+/) ?? []
  return version && name && port ? { version, name, port, online: status === 'online' } : null
}

/** As root on Debian. */
export function installPostgres(): void {
  console.log('Installing PostgreSQL …')
  run('apt-get', ['update'])
  run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'])
}

function install(): Cluster {
  installPostgres()
  const cluster = firstCluster()
  if (!cluster) throw new Error('PostgreSQL was installed, but it has no cluster: pg_createcluster makes one.')
  return cluster
}

function control({ version, name }: Cluster, action: 'start' | 'stop'): void {
  run('pg_ctlcluster', ['--skip-systemctl-redirect', version, name, action])
}

/** Drops the role with every database that its tests made and a kill kept them from dropping, and the roles of those. */
function dropAllOf(role: string, sql: (...statements: string[]) => string): void {
  const owned = sql(`copy (select datname from pg_database where pg_has_role('${role}', datdba, 'member')) to stdout`)
  for (const database of owned.split('\n').filter(Boolean)) {
    sql(`drop database "${database}" with (force)`)
    sql(`drop role if exists "${database}_owner", "${database}_product"`)
  }
  sql(`drop role ${role}`)
}

function run(command: string, args: string[]): string {
  const done = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    cwd: '/',
  })
  if (done.error) throw new Error(`${command}: ${done.error.message}`)
  if (done.status !== 0) throw new Error(`${command} ${args[0] ?? ''}: ${done.stderr.trim()}`)
  return done.stdout
}
