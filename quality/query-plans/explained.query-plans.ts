import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { normaliseStatement, statementsFolder } from './collect-statements.ts'
import { allowedFullReads, small } from './allowed-full-reads.ts'
import { findPlanFaults, type PlanFaults, type FullTableRead } from './plan-faults.ts'

const folder = process.env[statementsFolder] ?? ''
type Asked = { statement: string; file: string }
/** Skip statements that use the previous version's job tables, which exist only in the test that drains those jobs. */
const isFromPreviousVersion = ({ statement }: Asked): boolean => statement.includes('pgboss.')
const isExplainable = (asked: Asked): boolean =>
  /^\s*(?:select|insert|update|delete|with)\b/i.test(asked.statement) && !isFromPreviousVersion(asked)
const all = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Asked),
)
const asked = new Map(all.filter(isExplainable).map((each) => [normaliseStatement(each.statement), each]))

let database: Awaited<ReturnType<typeof makeDatabase>>
let client: pg.Client
const found: { asked: Asked; faults: PlanFaults }[] = []
beforeAll(async () => {
  database = await makeDatabase(process.env['DATABASE_URL'] ?? '')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  )
  const partialIndexes = new Set(rows.map(({ name }) => name))
  for (const each of asked.values())
    found.push({
      asked: each,
      faults: await findPlanFaults(client, each.statement, (index) => partialIndexes.has(index)),
    })
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const isAllowedFullRead = (statement: string, { table }: FullTableRead): boolean =>
  small.includes(table) || allowedFullReads.some(({ of, has }) => of === table && statement.includes(has))

const describeStatement = ({ statement, file }: Asked): string =>
  `${file.replace(/.*\/(?=\w+\/)/, '')}: ${statement.slice(0, 600)}`

test('no statement reads the whole of a table that grows', () => {
  expect(asked.size).toBeGreaterThan(400)
  const reads = found.flatMap(({ asked: each, faults }) =>
    faults.wholeReads
      .filter((read) => !isAllowedFullRead(each.statement, read))
      .map((read) => `${read.table}: ${read.how}\n  ${describeStatement(each)}`),
  )
  expect(reads).toEqual([])
})

test('no statement changes rows that a subquery locks under a limit, which could run again for each row', () => {
  expect(found.filter(({ faults }) => faults.mayLockAgain).map((each) => describeStatement(each.asked))).toEqual([])
})
