import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from '#testing/database.ts'
import { type Database, openDatabase, transact } from './db.ts'
import { asVisitor } from './visitor-share.ts'

let own: Awaited<ReturnType<typeof makeDatabase>>
let database: Database
beforeEach(async () => {
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  database = await openDatabase({ url: own.url, keepsStatements: true })
  await sql`create table things (id int primary key)`.execute(database.db)
  await sql`insert into things values (1), (2)`.execute(database.db)
})
afterEach(async () => {
  await database?.close()
  await own?.drop()
})

let visitors = 0
/** Each as a visitor of their own, all in one turn of the event loop. */
const asVisitors = <T>(acts: (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> =>
  Promise.allSettled(
    acts.map((act) => {
      const { promise, resolve } = Promise.withResolvers<T>()
      const whose = { session: String(visitors++) }
      asVisitor(
        whose,
        () => new Error('no turn'),
        () => resolve(act()),
      )
      return promise
    }),
  )

const read = (id: number) => async (): Promise<unknown> =>
  (await sql<{ id: number }>`select id from things where id = ${id}`.execute(database.db)).rows

test('what visitors read in one turn goes over one connection, and each gets their own answer', async () => {
  const before = database.pool()?.total
  const answers = await asVisitors([1, 2, 3, 1, 2, 3, 1, 2].map(read))
  expect(answers.map((answer) => answer.status === 'fulfilled' && answer.value)).toEqual(
    [1, 2, 3, 1, 2, 3, 1, 2].map((id) => (id < 3 ? [{ id }] : [])),
  )
  expect([before, database.pool()?.total]).toEqual([1, 1])
})

test('more than eight take another connection beside it', async () => {
  await asVisitors(Array.from({ length: 9 }, () => read(1)))
  expect(database.pool()?.total).toBe(2)
})

test('one that fails fails alone', async () => {
  const divide = async () => (await sql`select 1 / (id - 1) as part from things where id = 1`.execute(database.db)).rows
  const answers = await asVisitors<unknown>([read(1), divide, read(2)])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(answers[1]).toMatchObject({ reason: { code: '22012' } })
  expect(await asVisitors([read(1)])).toEqual([{ status: 'fulfilled', value: [{ id: 1 }] }])
})

test('one that fails behind which nothing stands, alone or as the last, leaves its connection to whoever is next', async () => {
  const miss = async () => (await sql`select id from things_elsewhere`.execute(database.db)).rows
  for (let turn = 0; turn < 3; turn++) {
    expect(await asVisitors<unknown>([miss])).toMatchObject([{ status: 'rejected', reason: { code: '42P01' } }])
    const answers = await asVisitors<unknown>([read(1), miss])
    expect(answers).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: '42P01' } }])
  }
  expect(database.pool()).toMatchObject({ total: 1, idle: 1 })
})

test('several that fail fail alone, each with its own reason', async () => {
  const divide = async () => (await sql`select 1 / (id - 1) as part from things where id = 1`.execute(database.db)).rows
  const cast = async () => (await sql`select 'kea'::text::int from things`.execute(database.db)).rows
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const unsaid = async () => (await sql`select id from things where ${circular} is not null`.execute(database.db)).rows
  // Named by now: what the server has not come to is sent to it again.
  for (let turn = 0; turn < 4; turn++) {
    const answers = await asVisitors<unknown>([read(1), divide, unsaid, read(2), cast, divide, read(3)])
    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
      [{ id: 1 }],
      'error: division by zero',
      expect.stringContaining('circular'),
      [{ id: 2 }],
      'error: invalid input syntax for type integer: "kea"',
      'error: division by zero',
      [],
    ])
  }
})

test('what waits for a row that somebody has holds up nobody’s reading', async () => {
  const other = new pg.Client({ connectionString: own.url })
  await other.connect()
  await other.query('begin; update things set id = 11 where id = 1')
  const ended: string[] = []
  const told = (name: string, act: () => Promise<unknown>) => () => act().finally(() => ended.push(name))
  const change = () => sql`update things set id = 21 where id = 1`.execute(database.db)
  const lock = () => sql`select id from things where id = 1 for update`.execute(database.db)
  const waiting = asVisitors<unknown>([told('change', change), told('lock', lock), told('read', read(2))])
  while (!ended.includes('read')) await new Promise((resolve) => setImmediate(resolve))
  expect(ended).toEqual(['read'])
  await other.query('commit')
  await waiting
  await other.end()
  expect(ended.toSorted()).toEqual(['change', 'lock', 'read'])
})

test('a transaction reads on its own connection what it has written itself, and nobody else does before its end', async () => {
  const within = () =>
    transact(database.db, async (trx) => {
      await sql`insert into things values (3)`.execute(trx)
      const { rows } = await sql`select id from things where id = 3`.execute(trx)
      return { mine: rows, theirs: await read(3)() }
    })
  expect(await asVisitors([within])).toEqual([{ status: 'fulfilled', value: { mine: [{ id: 3 }], theirs: [] } }])
})

test('all that were on a connection are told that it is gone, and the next go over another', async () => {
  const other = new pg.Client({ connectionString: own.url })
  await other.connect()
  await other.query('begin; lock table things')
  const waiting = asVisitors([read(1), read(2)])
  const isWaiting = async () =>
    (
      await other.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows
  let pids = await isWaiting()
  while (pids.length === 0) pids = await isWaiting()
  expect(pids).toHaveLength(1)
  await other.query('select pg_terminate_backend($1)', [pids[0].pid])
  const answers = await waiting
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await other.query('commit')
  expect(await asVisitors([read(2)])).toEqual([{ status: 'fulfilled', value: [{ id: 2 }] }])
  await other.end()
})
