import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startCluster } from '#quality/faults/clusters.ts'
import { explainMissingServer } from '#quality/faults/postgres/binaries.ts'
import type { FaultDatabase } from '#quality/faults/injector.ts'
import { startPooler } from '#quality/support/pgbouncer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { isTimeout } from './statement-timeout.ts'
import { type Database, openDatabase, transact } from './db.ts'

const missing = explainMissingServer()

/** These tests use a primary whose standby is gone. A promoted standby would lack every transaction committed only on the primary. */
describe.skipIf(missing !== null)('commits that are waiting for a standby', () => {
  let cluster: FaultDatabase
  let database: Database
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.close())
  beforeEach(async () => {
    database = await openDatabase({ url: cluster.url })
    await sql`create table things (id int primary key)`.execute(database.db)
  })
  afterEach(async () => {
    await waitFor('')
    await sql`drop table things`.execute(database.db)
    await database.close()
  })

  async function waitFor(standby: string): Promise<void> {
    await cluster.run(`alter system set synchronous_standby_names = '${standby}'`)
    await cluster.run('select pg_reload_conf()')
    await pollUntil(async () => {
      const [row] = await cluster.run('show synchronous_standby_names')
      return row?.['synchronous_standby_names'] === standby
    })
  }

  const add = (id: number) => sql`insert into things values (${id})`
  const all = async (): Promise<unknown[]> =>
    (await sql<{ id: number }>`select id from things order by id`.execute(database.db)).rows.map(({ id }) => id)
  const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => null,
      (error: unknown) => error,
    )

  test('a transaction is neither acknowledged nor visible to others until the standby database has received it', async () => {
    await waitFor('nobody')
    const began = performance.now()
    const failures = await Promise.all(
      [1, 2, 3].map((id) => failureOf(transact(database.db, (trx) => add(id).execute(trx)))),
    )
    expect(failures.map((error) => isTimeout(error))).toEqual([true, true, true])
    expect(performance.now() - began).toBeLessThan(24_000)
    expect(await all()).toEqual([])
    await waitFor('')
    await pollUntil(async () => (await all()).length === 3)
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => transact(database.db, (trx) => add(10 + index).execute(trx))),
    )
  })

  test('a single SQL statement is neither acknowledged nor visible to others until the standby database has received it', async () => {
    await waitFor('nobody')
    expect(isTimeout(await failureOf(add(1).execute(database.db)))).toBe(true)
    expect(await all()).toEqual([])
    await waitFor('')
    await pollUntil(async () => (await all()).length === 1)
  })

  const waiting = async (): Promise<number> =>
    (await cluster.run("select pid from pg_stat_activity where wait_event = 'SyncRep'")).length

  test.each(['one host', 'two hosts'])(
    "a commit that is waiting for a standby keeps its connection, so retries cannot use up the server's connections: %s",
    async (hosts) => {
      const { host } = new URL(cluster.url)
      const url = hosts === 'one host' ? cluster.url : cluster.url.replace(host, `${host},${host}`)
      const client = await openDatabase({ url })
      await waitFor('nobody')
      await Promise.all(Array.from({ length: 12 }, (_, index) => failureOf(add(index).execute(client.db))))
      expect(client.pool()?.total).toBe(12)
      expect(await failureOf(add(12).execute(client.db))).toMatchObject({
        message: 'timeout exceeded when trying to connect',
      })
      expect(await failureOf(add(13).execute(client.db))).not.toBeNull()
      expect(await waiting()).toBe(12)
      await waitFor('')
      await pollUntil(async () => (await all()).length === 12)
      await client.close()
    },
  )

  test('retried commits behind a pooler open no further sessions while earlier commits wait for the standby', async () => {
    const pooler = await startPooler(cluster.url)
    const client = await openDatabase({ url: pooler.url })
    await sql`select 1`.execute(client.db)
    await waitFor('nobody')
    for (let round = 0; round < 2; round++) {
      const failures = await Promise.all(
        Array.from({ length: 8 }, (_, at) => failureOf(transact(client.db, (trx) => add(round * 8 + at).execute(trx)))),
      )
      expect(failures.filter((error) => error === null)).toEqual([])
      expect(await waiting()).toBeLessThanOrEqual(6)
    }
    await waitFor('')
    await pollUntil(async () => (await waiting()) === 0)
    await client.close()
    await pooler.stop()
  })

  test('a commit is not acknowledged if an administrator cancels its wait for the standby', async () => {
    await waitFor('nobody')
    const failure = failureOf(add(1).execute(database.db))
    await pollUntil(async () => {
      const cancelled = await cluster.run(
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      )
      return cancelled.length > 0
    })
    expect(isTimeout(await failure)).toBe(true)
  })
})
