import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '#kit/server/free-port.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { buildOwnerCommand, findBinaries, changeOwner, cleanEnvironment, runAsOwner } from './binaries.ts'

export type PostgresServer = {
  host: string
  port: number
  urlOf(database: string): string
  make(primary?: PostgresServer): Promise<void>
  start(): Promise<void>
  stop(how: 'fast' | 'immediate'): Promise<void>
  /** Sends SIGKILL to all of the server's processes, which therefore cannot write or close anything. */
  kill(): Promise<void>
  /** Promotes the server and resolves once it accepts writes. */
  promote(): Promise<void>
  ask(database: string, statement: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>
}

export const superuser = 'keeper'

/*
 * Settings that give up durability. After a kill, the operating system still has all data that was written. Only a power failure would lose
 * any, and no test simulates that.
 */
const settings = `
fsync = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 60
min_wal_size = 32MB
max_wal_size = 128MB
wal_sender_timeout = 5s
wal_retrieve_retry_interval = 100ms
unix_socket_directories = ''
# No shared memory is left behind by a server that is killed.
dynamic_shared_memory_type = mmap
`

/**
 * Prepares a PostgreSQL server with its data in `folder`/data. The server itself is not created yet. `more` is added to postgresql.conf.
 */
export async function createPostgresServer(folder: string, password: string, more = ''): Promise<PostgresServer> {
  const [data, log] = [join(folder, 'data'), join(folder, 'log')]
  const [host, port] = ['127.0.0.1', await findFreePort()]
  const urlOf = (database: string): string => `postgres://${superuser}:${password}@${host}:${port}/${database}`
  const ask: PostgresServer['ask'] = (database, ...question) => queryOnce(urlOf(database), ...question)
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    if (child) return
    const output = openSync(log, 'a')
    const program = buildOwnerCommand(join(findBinaries(), 'postgres'), ['-D', data, '-h', host, '-p', String(port)])
    const serverProcess = spawn(...program, { cwd: '/', env: cleanEnvironment, stdio: ['ignore', output, output] })
    closeSync(output)
    child = serverProcess
    serverProcess.once('exit', () => {
      if (child === serverProcess) child = null
    })
    await pollUntil(async () => {
      if (child !== serverProcess) throw new Error(`PostgreSQL has ended:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
      return ask('postgres', 'select 1').catch(() => null)
    })
  }

  async function end(running: ChildProcess | null, act: (pid: number) => void): Promise<void> {
    if (!running?.pid) return
    const ended = once(running, 'exit')
    act(running.pid)
    await ended
  }

  const kill = (): Promise<void> =>
    end(child, (pid) => {
      const all = [pid, ...listChildProcesses(pid)]
      for (const each of all) killIfRunning(each)
    })

  return {
    host,
    port,
    urlOf,
    ask,
    start,
    async make(primary) {
      await kill()
      await (primary ? copyDataFolder(data, primary, password) : initialiseDataFolder(data, { password, more }))
      return start()
    },
    stop: (how) => end(child, (pid) => process.kill(pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT')),
    kill,
    async promote() {
      await ask('postgres', 'select pg_promote(false)')
      await pollUntil(() => ask('postgres', 'select pg_is_in_recovery() as is_standby').then(isPrimary, () => false))
    },
  }
}

const isPrimary = ([row]: Record<string, unknown>[]): boolean => row?.['is_standby'] === false

async function clearFolder(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await changeOwner(folder)
}

async function initialiseDataFolder(
  data: string,
  { password, more }: { password: string; more: string },
): Promise<void> {
  await clearFolder(data)
  const passwordFile = `${data}-password`
  writeFileSync(passwordFile, password)
  await changeOwner(passwordFile)
  const authOptions = ['-U', superuser, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  await runAsOwner('initdb', ['-D', data, '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', ...authOptions])
  appendFileSync(join(data, 'postgresql.conf'), `${settings}${more}`)
}

async function copyDataFolder(data: string, { host, port }: PostgresServer, password: string): Promise<void> {
  await clearFolder(data)
  const from = `host=${host} port=${port} user=${superuser} password=${password}`
  await runAsOwner('pg_basebackup', ['-D', data, '-d', from, '-R', '-c', 'fast', '-X', 'stream', '--no-sync'])
}

async function queryOnce(url: string, statement: string, parameters: unknown[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // Ignore connection errors here, because the caller's own query fails as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(statement, parameters)).rows as Record<string, unknown>[]
  } finally {
    await client.end().catch(() => {})
  }
}

const listChildProcesses = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Ignore the error: the process has already ended along with its parent.
  }
}
