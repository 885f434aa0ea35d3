import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from '#testing/database.ts'
import { queryBatch } from './query-batch.ts'
import type { Statement } from './query-part.ts'

let own: Awaited<ReturnType<typeof makeDatabase>>
let client: pg.Client
beforeEach(async () => {
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  const piped = { connectionString: own.url, pipeline: true }
  client = new pg.Client(piped)
  await client.connect()
  await client.query('create table birds (name text primary key, born date)')
})
afterEach(async () => {
  await client?.end()
  await own?.drop()
})

const statement = (text: string, ...values: unknown[]): Statement => ({ text, values })
const add = (name: string): Statement => statement('insert into birds (name) values ($1)', name)
const names = async (): Promise<string[]> =>
  (await client.query('select name from birds order by name')).rows.map(({ name }) => name)

test('each statement has its own answer', async () => {
  const results = await queryBatch(client, [
    add('kea'),
    statement('select name, $1::int + 1 as next from birds', 1),
    statement('select 1 where false'),
    statement(''),
    statement('update birds set born = $1', new Date(2026, 0, 1)),
  ])
  expect(results.map(({ command, rowCount, rows }) => [command, rowCount, rows])).toEqual([
    ['INSERT', 1, []],
    ['SELECT', 1, [{ name: 'kea', next: 2 }]],
    ['SELECT', 0, []],
    [null, null, []],
    ['UPDATE', 1, []],
  ])
})

test('a transaction is one way there and back', async () => {
  await queryBatch(client, [statement('begin'), add('kea'), statement('commit')])
  expect(client.getTransactionStatus()).toBe('I')
  expect(await names()).toEqual(['kea'])
})

test('after one that fails none is done: nothing stands without the beginning that was to be before it', async () => {
  const asked = queryBatch(client, [statement('begin isolation level whatever'), add('kea'), statement('commit')])
  await expect(asked).rejects.toMatchObject({ code: '42601' })
  expect(await names()).toEqual([])
  await queryBatch(client, [add('kea')])
  await expect(queryBatch(client, [add('kaka'), add('kea'), add('moa')])).rejects.toMatchObject({ code: '23505' })
  expect(await names()).toEqual(['kea'])
})

test('what was asked before and is asked behind it gets its own answer, whether it fails or not', async () => {
  const answers = await Promise.allSettled([
    client.query('select 1 as one'),
    queryBatch(client, [add('kea'), statement('select 1 / 0'), add('moa')]),
    client.query('select 2 as two'),
    queryBatch(client, [add('kea'), statement('select 3 as three')]),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(answers[2]).toMatchObject({ value: { rows: [{ two: 2 }] } })
  expect(answers[3]).toMatchObject({ value: [{ command: 'INSERT' }, { rows: [{ three: 3 }] }] })
})

test('a name that the server has not come to is sent again', async () => {
  const named: Statement = { text: 'select $1::text as name', values: ['kea'], name: 'bird' }
  await expect(queryBatch(client, [statement('select 1 / 0'), named])).rejects.toMatchObject({ code: '22012' })
  const twice = await queryBatch(client, [named, { ...named, values: ['moa'] }])
  expect(twice.map(({ rows }) => rows)).toEqual([[{ name: 'kea' }], [{ name: 'moa' }]])
  expect((await queryBatch(client, [named]))[0]?.rows).toEqual([{ name: 'kea' }])
})

test('a name that the server keeps is asked once what it answers with, and has its own rows each time', async () => {
  const read: Statement = { text: 'select name, born from birds where name = $1', values: ['kea'], name: 'read' }
  const write: Statement = { text: 'insert into birds values ($1, $2)', values: ['kea', '2026-01-01'], name: 'write' }
  let described = 0
  ;(client as unknown as { connection: pg.Connection }).connection.on('rowDescription', () => described++)
  const ways = [[read, write], [read], [{ ...read, values: ['moa'] }, read]]
  const answers: pg.QueryResult[] = []
  for (const way of ways) answers.push(...(await queryBatch(client, way)))
  const kea = { name: 'kea', born: new Date(2026, 0, 1) }
  expect(answers.map(({ command, rowCount, rows }) => [command, rowCount, rows])).toEqual([
    ['SELECT', 0, []],
    ['INSERT', 1, []],
    ['SELECT', 1, [kea]],
    ['SELECT', 0, []],
    ['SELECT', 1, [kea]],
  ])
  expect(answers.at(-1)?.fields.map(({ name }) => name)).toEqual(['name', 'born'])
  expect(described).toBe(1)
})

test('the server answers a name that it keeps with the columns that it had, or not at all', async () => {
  const all: Statement = { text: 'select * from birds', values: [], name: 'all' }
  await queryBatch(client, [add('kea'), all])
  await client.query('alter table birds add column colour text')
  await expect(queryBatch(client, [all])).rejects.toMatchObject({ code: '0A000' })
})

test('a value that cannot be written down is found out before anything is sent', async () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  await expect(queryBatch(client, [add('kea'), statement('select $1', circular)])).rejects.toThrow('circular')
  expect(await names()).toEqual([])
})

test('all of it is told when the connection ends', async () => {
  const asked = Promise.allSettled([queryBatch(client, [statement('select pg_sleep(60)'), add('kea')])])
  client.on('error', () => {})
  const other = new pg.Client({ connectionString: own.url })
  await other.connect()
  await other.query('select pg_terminate_backend($1)', [(client as unknown as { processID: number }).processID])
  await other.end()
  expect(await asked).toMatchObject([{ status: 'rejected', reason: { code: '57P01' } }])
})
