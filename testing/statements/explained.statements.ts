import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '../database.ts'
import { shapeOf, statementsFolder } from './collect.ts'
import { exceptions, small } from './exceptions.ts'
import { type WholeRead, wholeReadsOf } from './plans.ts'

// Every statement that the API tests have had asked, with the plan that a server makes of it that would rather not read a whole table.

const folder = process.env[statementsFolder] ?? ''
type Asked = { statement: string; file: string }
const isExplained = ({ statement }: Asked): boolean => /^\s*(?:select|insert|update|delete|with)\b/i.test(statement)
const all = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Asked),
)
const asked = new Map(all.filter(isExplained).map((each) => [shapeOf(each.statement), each]))

let database: Awaited<ReturnType<typeof makeDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const isException = (statement: string, { table }: WholeRead): boolean =>
  small.includes(table) || exceptions.some(({ of, has }) => of === table && statement.includes(has))

test('no statement reads the whole of a table that grows', async () => {
  expect(asked.size).toBeGreaterThan(400)
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  )
  const partial = new Set(rows.map(({ name }) => name))
  const found: string[] = []
  for (const { statement, file } of asked.values()) {
    const reads = await wholeReadsOf(client, statement, (index) => partial.has(index))
    for (const read of reads.filter((each) => !isException(statement, each)))
      found.push(`${read.table}: ${read.how}\n  ${file.replace(/.*\/(?=\w+\/)/, '')}: ${statement.slice(0, 600)}`)
  }
  expect(found).toEqual([])
})
