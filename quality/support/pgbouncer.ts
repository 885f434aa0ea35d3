import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '#kit/server/free-port.ts'
import { pollUntil } from './poll-until.ts'

/**
 * A connection pooler for the PostgreSQL server at `url`. It reassigns connections after every transaction, and opens fewer connections to
 * the server than a single process of Fantail opens to the pooler.
 */
export type Pooler = { url: string; stop(): Promise<void> }

const poolSize = 6

/**
 * Starts PgBouncer. On Debian, root installs it if necessary.
 * @param more additional lines for its settings
 * @throws an error with a one-line message that says what is missing
 */
export async function startPooler(url: string, more: string[] = []): Promise<Pooler> {
  const [there, port, folder] = [new URL(url), await findFreePort(), mkdtempSync(join(tmpdir(), 'fantail-pgbouncer-'))]
  const configPath = join(folder, 'pgbouncer.ini')
  const server = `host=${there.hostname} port=${there.port || 5432} user=${there.username} password=${there.password}`
  writeFileSync(
    configPath,
    [
      '[databases]',
      `* = ${server}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 200',
      // Retry a failed login after 1 s. By default, if a server rejects a login, PgBouncer waits 15 s before it contacts that server again.
      'server_login_retry = 1',
      ...more,
    ].join('\n'),
  )
  // Make the folder readable, because PgBouncer does not run as root.
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  const [program, ...args] = [...(isRoot ? ['runuser', '-u', 'nobody', '--'] : []), findPgbouncer(isRoot), configPath]
  const child = spawn(program ?? '', args, { stdio: 'ignore' })
  const here = new URL(url)
  here.hostname = '127.0.0.1'
  here.port = String(port)
  await pollUntil(() => isAccepting(child, here.href))
  return {
    url: here.href,
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findPgbouncer(isRoot: boolean): string {
  const isInstalled = (): boolean => spawnSync('/usr/sbin/pgbouncer', ['--version']).status === 0
  if (!isInstalled() && isRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { env })
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'pgbouncer'], { env })
  }
  if (!isInstalled())
    throw new Error('PgBouncer is not there: apt-get install pgbouncer, or run this as root on Debian.')
  return '/usr/sbin/pgbouncer'
}

async function isAccepting(child: ChildProcess, url: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
