import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { startTcpProxy, type TcpProxy, type TcpTarget } from '#quality/support/tcp-proxy.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { isTimeout } from './statement-timeout.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { type Database, isRowLocked, openDatabase, transact } from './db.ts'
import { withTimeouts } from './database-timeouts.ts'

const server = new URL(process.env['DATABASE_URL'] ?? '')
const target: TcpTarget = { host: server.hostname, port: Number(server.port || 5432) }

/** Milliseconds within which a result must arrive: four times a statement's time limit, to allow for a busy machine. */
const soonMs = 24_000

let own: Awaited<ReturnType<typeof makeDatabase>>
let proxy: TcpProxy
let database: Database
beforeEach(async () => {
  own = await makeDatabase(server.href, { empty: true })
  proxy = await startTcpProxy(target)
  database = await openDatabase({ url: at(proxy.port) })
})
afterEach(async () => {
  await database?.close()
  await proxy?.close()
  await own?.drop()
})

const at = (...ports: number[]): string =>
  own.url.replace(`@${server.host}`, `@${ports.map((port) => `127.0.0.1:${port}`).join()}`)

const failureOf = async (asked: Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
  const began = performance.now()
  const error = await asked.then(
    () => null,
    (failure: unknown) => failure,
  )
  return { error, ms: performance.now() - began }
}

describe('SQL statements that exceed their time limit', () => {
  test('the database cancels an SQL statement that exceeds its time limit, both inside and outside a transaction', async () => {
    const asked = [
      failureOf(sql`select pg_sleep(120)`.execute(database.db)),
      failureOf(transact(database.db, (trx) => sql`select pg_sleep(120)`.execute(trx))),
    ]
    for (const { error, ms } of await Promise.all(asked)) {
      expect(error).toMatchObject({ code: '57014' })
      expect(ms).toBeLessThan(soonMs)
    }
    await pollUntil(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(120)'
      `.execute(database.db)
      return rows.length === 0
    })
  })

  test('an SQL statement may take longer if a longer limit has been set for it', async () => {
    const slow = withTimeouts({ statementMs: 60_000 }, () => sql`select pg_sleep(6)`.execute(database.db))
    expect((await failureOf(slow)).error).toBeNull()
  })

  test('isRowLocked returns true if NOWAIT finds a locked row, but false after a lock timeout', async () => {
    await sql`create table things (id int primary key)`.execute(database.db)
    await sql`insert into things values (1)`.execute(database.db)
    const other = new pg.Client({ connectionString: own.url })
    await other.connect()
    await other.query('begin; select * from things for update')
    const { error } = await failureOf(transact(database.db, (trx) => sql`select * from things for update`.execute(trx)))
    expect(error).toMatchObject({ code: '55P03' })
    expect(isRowLocked(error)).toBe(false)
    const { error: taken } = await failureOf(sql`select * from things for update nowait`.execute(database.db))
    expect(isRowLocked(taken)).toBe(true)
    await other.end()
  })
})

test("a transaction sets its own time limits for statements, locks and idling, and leaves the session's limits unchanged", async () => {
  const read = sql<{
    bounds: string[]
  }>`select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
    current_setting('idle_in_transaction_session_timeout')] as bounds`
  const before = await read.execute(database.db)
  const within = await transact(database.db, (trx) => read.execute(trx))
  expect(within.rows).toEqual([{ bounds: ['4200ms', '3500ms', '8s'] }])
  expect(await read.execute(database.db)).toEqual(before)
})

test('the database server ends an idle transaction and releases its locks', async () => {
  await sql`create table things (id int primary key)`.execute(database.db)
  await sql`insert into things values (1)`.execute(database.db)
  const [locked, { promise: goOn, resolve }] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const still = failureOf(
    database.db.transaction().execute(async (trx) => {
      await sql`select * from things for update`.execute(trx)
      locked.resolve()
      await goOn
      await sql`select 1`.execute(trx)
    }),
  )
  await locked.promise
  await pollUntil(async () => {
    const { error } = await failureOf(sql`update things set id = 2`.execute(database.db))
    return error === null
  })
  resolve()
  expect(isTimeout((await still).error)).toBe(true)
})

test('sends the database driver one SQL statement at a time, even if a rollback arrives while others are pending', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  const failing = transact(database.db, (trx) =>
    Promise.all(
      [sql`select pg_terminate_backend(pg_backend_pid())`, sql`select 1`, sql`select 2`].map((each) =>
        each.execute(trx),
      ),
    ),
  )
  expect(isDatabaseUnavailable((await failureOf(failing)).error)).toBe(true)
  await sql`select 1`.execute(database.db)
  process.off('warning', note)
  expect(warnings).toEqual([])
})

describe('a database host that stops responding', () => {
  test('while the database host does not respond, SQL statements time out as usual; afterwards, they work without delay', async () => {
    const sleep = (seconds: number) => sql`select pg_sleep(${sql.lit(seconds)})`.execute(database.db)
    await Promise.all(Array.from({ length: 8 }, () => sleep(0.2)))
    const asked = [
      ...Array.from({ length: 4 }, () => failureOf(sleep(3))),
      failureOf(withTimeouts({ statementMs: 3_600_000 }, () => sleep(3))),
    ]
    await pause(200)
    proxy.silence()
    for (const { error, ms } of await Promise.all(asked)) {
      expect(isDatabaseUnavailable(error)).toBe(true)
      expect(ms).toBeLessThan(soonMs)
    }
    const { error, ms } = await failureOf(sleep(0))
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(ms).toBeLessThan(soonMs)
    proxy.restore()
    const began = performance.now()
    await Promise.all(Array.from({ length: 12 }, () => sleep(0)))
    // If the pool tried one of its old connections first, this would take six seconds.
    expect(performance.now() - began).toBeLessThan(5_500)
  })

  test('closing the database does not hang if its host stops responding while an SQL statement is in progress', async () => {
    await sql`select 1`.execute(database.db)
    proxy.silence()
    const asked = failureOf(sql`select 1`.execute(database.db))
    const began = performance.now()
    await database.close()
    await asked
    expect(performance.now() - began).toBeLessThan(soonMs)
    database = await openDatabase({ url: own.url })
  })
})

test('a database connection that gets no responses is replaced, and SQL statements on other connections continue', async () => {
  await sql`select 1`.execute(database.db)
  // Restoring the proxy leaves the earlier connections broken, but new connections work.
  proxy.silence()
  proxy.restore()
  const [lost, beside] = await Promise.all([
    failureOf(sql`select 1`.execute(database.db)),
    failureOf(withTimeouts({ statementMs: 60_000 }, () => sql`select pg_sleep(8)`.execute(database.db))),
  ])
  expect(isTimeout(lost.error)).toBe(true)
  expect(lost.ms).toBeLessThan(soonMs)
  expect(beside.error).toBeNull()
  expect((await failureOf(sql`select 1`.execute(database.db))).error).toBeNull()
})

test('an SQL statement can have its own time limit, and the next statement on the connection has the usual limit again', async () => {
  const read = async () =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(database.db)).rows[0]?.statement_timeout
  expect(await read()).toBe('4200ms')
  expect(await withTimeouts({ statementMs: 60_000 }, read)).toBe('59700ms')
  expect(await read()).toBe('4200ms')
  expect(database.pool()?.total).toBe(1)
})

describe('a connection pool with several database hosts', () => {
  let second: Awaited<ReturnType<typeof makeDatabase>>
  let line: TcpProxy
  const nameOf = ({ url }: { url: string }): string => new URL(url).pathname.slice(1)
  beforeEach(async () => {
    second = await makeDatabase(server.href, { empty: true })
    const begin = (bytes: Buffer) =>
      Buffer.from(bytes.toString('latin1').replace(nameOf(own), nameOf(second)), 'latin1')
    line = await startTcpProxy({ ...target, begin })
    await setReadOnly(second.url, true)
    await database.close()
    database = await openDatabase({ url: `${at(line.port, proxy.port)}?target_session_attrs=read-write` })
  })
  afterEach(async () => {
    await database.close()
    await line.close()
    await second.drop()
    database = await openDatabase({ url: own.url })
  })

  async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
    const client = new pg.Client({ connectionString: server.href })
    await client.connect()
    await client.query(`alter database ${nameOf({ url })} set default_transaction_read_only = ${isReadOnly}`)
    await client.end()
  }
  const here = async (): Promise<string | undefined> =>
    (await sql<{ name: string }>`select current_database() as name`.execute(database.db)).rows[0]?.name
  const writes = () => sql`create table if not exists things (id int)`.execute(database.db)

  test('connects to the database host that accepts writes', async () => {
    expect(await here()).toBe(nameOf(own))
    await writes()
  })

  test('switches from a database host that becomes read-only to the host that now accepts writes', async () => {
    await writes()
    await Promise.all([here(), here(), here()])
    await setReadOnly(own.url, true)
    await own.breakConnections()
    const { error } = await failureOf(pollUntil(writes, { withinMs: 0 }))
    expect(isDatabaseUnavailable(error)).toBe(true)
    await setReadOnly(second.url, false)
    await pollUntil(async () => (await failureOf(writes())).error === null)
    expect(await here()).toBe(nameOf(second))
  })

  test('switches away from a database host that stops responding', async () => {
    await writes()
    proxy.silence()
    await setReadOnly(second.url, false)
    const began = performance.now()
    await pollUntil(async () => (await failureOf(writes())).error === null)
    expect(performance.now() - began).toBeLessThan(soonMs)
    expect(await here()).toBe(nameOf(second))
  })

  test('reports an outage when no database host accepts writes', async () => {
    await setReadOnly(own.url, true)
    const { error, ms } = await failureOf(here())
    expect(error).toMatchObject({ message: 'no host of the database takes writes' })
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(ms).toBeLessThan(soonMs)
  })
})
