import { CompiledQuery, Kysely } from 'kysely'
import type pg from 'pg'
import { expect, test } from 'vitest'
import type { Asked } from './asked.ts'
import type { BoundedClient } from './bounded-client.ts'
import { type Db, transact, type Trx } from './db.ts'
import { postgresDialect } from './postgres-driver.ts'
import { together } from './together.ts'
import { writeInPassing } from './write-in-passing.ts'

const answer = (rows: object[] = []) =>
  ({ command: 'SELECT', rowCount: rows.length, rows }) as unknown as pg.QueryResult
const wordsOf = (asked: readonly Asked[]): string =>
  asked.map(({ statement }) => statement.replace(/^select set_config.*/, 'bounds')).join(' / ')

/** A database of which it is written down what comes to it in one way; what fails there says so. */
function listening(failing?: string): { db: Db; ways: string[] } {
  const ways: string[] = []
  const hear = async (asked: readonly Asked[], end = ''): Promise<pg.QueryResult[]> => {
    ways.push(wordsOf(asked) + end)
    if (asked.some(({ statement }) => statement === failing)) throw new Error(`${failing} failed`)
    return asked.map(({ statement }) => answer([{ of: statement }]))
  }
  const client: BoundedClient = {
    query: async (statement, values = []) => (await hear([{ statement, values }]))[0]!,
    queryAll: hear,
    commit: async (before) => (await hear(before, ' commit'))[0] ?? answer(),
    readAll: () => Promise.reject(new Error('is not used here')),
    release: () => void ways.push('release'),
  }
  const enter = async () => ({ connect: async () => client, leave: () => {} })
  return { db: new Kysely({ dialect: postgresDialect({ enter, end: async () => {} }) }), ways }
}

const ask = (db: Db | Trx, statement: string) => db.executeQuery(CompiledQuery.raw(statement))
const pass = (db: Db | Trx, statement: string) => writeInPassing(db, CompiledQuery.raw(statement))

test('a transaction begins with its first statement', async () => {
  const { db, ways } = listening()
  await transact(db, async (trx) => {
    await ask(trx, 'lock')
    await ask(trx, 'change')
  })
  expect(ways).toEqual(['begin / bounds / lock', 'change', ' commit', 'release'])
})

test('what is written in passing leaves with what is asked next, in its order, and the last with the commit', async () => {
  const { db, ways } = listening()
  await transact(db, async (trx) => {
    await pass(trx, 'note one')
    await pass(trx, 'note two')
    await ask(trx, 'change')
    await pass(trx, 'note three')
  })
  expect(ways).toEqual(['begin / bounds / note one / note two / change', 'note three commit', 'release'])
})

test('one that only writes in passing is one way', async () => {
  const { db, ways } = listening()
  await transact(db, (trx) => pass(trx, 'note'))
  expect(ways).toEqual(['begin / bounds / note commit', 'release'])
})

test('what is asked together leaves in one way, each with an answer of its own, and what is asked only then by itself', async () => {
  const { db, ways } = listening()
  const rowsOf = async (at: Trx, statement: string) => (await ask(at, statement)).rows
  const answers = await transact(db, async (trx) => {
    await pass(trx, 'note one')
    return together(trx, (at) =>
      Promise.all([
        rowsOf(at, 'lock'),
        rowsOf(at, 'look').then(async (rows) => [...rows, ...(await rowsOf(at, 'look again'))]),
        pass(at, 'note two'),
        rowsOf(at, 'count'),
      ]),
    )
  })
  expect(answers).toEqual([[{ of: 'lock' }], [{ of: 'look' }, { of: 'look again' }], undefined, [{ of: 'count' }]])
  expect(ways).toEqual([
    'begin / bounds / note one / note two / lock / look / count',
    'look again',
    ' commit',
    'release',
  ])
})

test('of one in which nothing is asked, whether it ends well or not, nobody hears', async () => {
  const { db, ways } = listening()
  await transact(db, async () => {})
  await expect(transact(db, () => Promise.reject(new Error('changed its mind')))).rejects.toThrow('changed its mind')
  expect(ways).toEqual([])
})

test('of one that fails what was written in passing and has not left never does', async () => {
  const { db, ways } = listening()
  const failing = transact(db, async (trx) => {
    await ask(trx, 'lock')
    await pass(trx, 'note')
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect(ways).toEqual(['begin / bounds / lock', 'rollback', 'release'])
})

test.each([
  ['what is asked next', (trx: Trx) => ask(trx, 'change'), 'begin / bounds / note / change'],
  ['the commit', () => Promise.resolve(), 'begin / bounds / note commit'],
])('what fails in passing fails with %s', async (_, next, way) => {
  const { db, ways } = listening('note')
  const failing = transact(db, async (trx) => {
    await pass(trx, 'note')
    await next(trx)
  })
  await expect(failing).rejects.toThrow('note failed')
  expect(ways).toEqual([way, 'rollback', 'release'])
})

test('several statements in one text leave by themselves, after those before them', async () => {
  const { db, ways } = listening()
  await transact(db, async (trx) => {
    await pass(trx, 'note')
    await ask(trx, 'drop this; drop that')
  })
  expect(ways).toEqual(['begin / bounds / note', 'drop this; drop that', ' commit', 'release'])
})

test('outside of a transaction what is written in passing is done at once', async () => {
  const { db, ways } = listening()
  await pass(db, 'note')
  expect(ways).toEqual(['note', 'release'])
})
