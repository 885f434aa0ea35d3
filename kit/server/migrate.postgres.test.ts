import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { createMigrationFolder, removeMigrationFolders } from '#quality/conventions/migration-folder.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { type Database, openDatabase } from './db.ts'
import { migrate } from './migrate.ts'

removeMigrationFolders()
let own: Awaited<ReturnType<typeof makeDatabase>>
let databases: Database[]
beforeEach(async () => {
  own = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  databases = await Promise.all([1, 2, 3].map(() => openDatabase({ url: own.url })))
})
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await own.drop()
})

const process1 = () => databases[0] as Database
const process2 = () => databases[1] as Database
const product = () => (databases[2] as Database).db
const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(product())).rows
const kiwis = 'create table kiwis (name text primary key, weight integer);\n'
const patient = { lockMs: 200, pauseMs: 100, tries: 1_000 }

async function holdingKiwis(lock: string): Promise<{ letGo(): Promise<void> }> {
  const [{ promise: held, resolve: isHeld }, { promise: over, resolve: end }] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const holding = product()
    .transaction()
    .execute(async (trx) => {
      await sql.raw(lock).execute(trx)
      isHeld()
      await over
    })
  await Promise.race([held, holding])
  return {
    async letGo() {
      end()
      await holding
    },
  }
}

const waitsFor = (statement: string) => () =>
  rows(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '${statement}%'`,
  ).then((found) => found.length > 0)

test('two processes that start at the same time run each migration only once, even on an empty database', async () => {
  const slow = `${kiwis}select pg_sleep(0.3);\ninsert into kiwis values ('a', 1);\n`
  const folder = createMigrationFolder({
    '0001_kiwis.sql': slow,
    '0002_more.sql': "insert into kiwis values ('b', 2);\n",
  })
  await Promise.all([migrate(process1(), folder), migrate(process2(), folder)])
  expect(await rows('select name from kiwis order by name')).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(await rows('select name from migrations')).toHaveLength(2)
})

test('two processes run migrations in turn even while an index build is waiting for an open transaction', async () => {
  await migrate(process1(), createMigrationFolder({ '0001_kiwis.sql': kiwis }))
  const folder = createMigrationFolder({
    '0001_kiwis.sql': kiwis,
    '0002_index.sql': '-- no transaction\ncreate index concurrently if not exists kiwis_by_weight on kiwis (weight);\n',
  })
  const purchase = await holdingKiwis("insert into kiwis values ('a', 1)")
  const first = migrate(process1(), folder)
  await pollUntil(waitsFor('create index'))
  const second = migrate(process2(), folder)
  await pollUntil(waitsFor('lock table migrations'))
  await rows("insert into kiwis values ('b', 2) returning 1")
  await purchase.letGo()
  await Promise.all([first, second])
  expect(await rows("select indisvalid from pg_index where indexrelid = 'kiwis_by_weight'::regclass")).toEqual([
    { indisvalid: true },
  ])
})

test('rebuilds an index whose build was killed', async () => {
  await migrate(process1(), createMigrationFolder({ '0001_kiwis.sql': kiwis }))
  const folder = createMigrationFolder({
    '0002_index.sql': '-- no transaction\ncreate index concurrently if not exists kiwis_by_weight on kiwis (weight);\n',
  })
  const purchase = await holdingKiwis("insert into kiwis values ('a', 1)")
  const killed = migrate(process1(), folder).catch((error: unknown) => error)
  await pollUntil(waitsFor('create index'))
  await rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create index%'",
  )
  expect(await killed).toBeInstanceOf(Error)
  await purchase.letGo()
  const validity = "select indisvalid from pg_index where indexrelid = 'kiwis_by_weight'::regclass"
  expect(await rows(validity)).toEqual([{ indisvalid: false }])
  await migrate(process2(), folder)
  expect(await rows(validity)).toEqual([{ indisvalid: true }])
})

test('a migration that cannot get a lock lets other SQL statements go first and retries until it succeeds', async () => {
  await migrate(process1(), createMigrationFolder({ '0001_kiwis.sql': kiwis }))
  const report = await holdingKiwis('select * from kiwis')
  const said: string[] = []
  const folder = createMigrationFolder({ '0002_grams.sql': 'alter table kiwis add column grams integer;\n' })
  const migrating = migrate(process1(), folder, { patience: patient, say: (line) => said.push(line) })
  await pollUntil(async () => said.length > 0)
  // If the migration kept waiting for its lock, these inserts would wait behind it.
  for (let customer = 0; customer < 20; customer++) {
    await rows(`insert into kiwis values ('customer ${customer}', 1) returning 1`)
    await pause(20)
  }
  expect(await rows("select 1 from migrations where name = '0002_grams.sql'")).toEqual([])
  await report.letGo()
  await migrating
  expect(said).toEqual([
    '0002_grams.sql could not get its locks at once. It will try again later, so that no other statement has to wait for it.',
  ])
  expect(await rows('select grams from kiwis limit 1')).toEqual([{ grams: null }])
})

test('a migration that never gets its locks changes nothing and fails with a message that names the migration', async () => {
  await migrate(process1(), createMigrationFolder({ '0001_kiwis.sql': kiwis }))
  const report = await holdingKiwis('select * from kiwis')
  const folder = createMigrationFolder({
    '0002_grams.sql': 'create table moas ();\nalter table kiwis add column grams integer;\n',
  })
  const giving = migrate(process1(), folder, { patience: { lockMs: 50, pauseMs: 1, tries: 3 } })
  await expect(giving).rejects.toThrow('0002_grams.sql could not get its locks in 3 attempts')
  expect(await rows("select to_regclass('moas') as moas")).toEqual([{ moas: null }])
  await report.letGo()
})

test("in a deadlock with a customer's transaction, the migration gives up and retries even if the customer has waited longer", async () => {
  await migrate(process1(), createMigrationFolder({ '0001_birds.sql': `${kiwis}create table moas (name text);\n` }))
  const slow =
    'alter table moas add column grams integer;\nselect pg_sleep(0.25);\nalter table kiwis add column grams integer;\n'
  const folder = createMigrationFolder({ '0002_grams.sql': slow })
  let migrating: Promise<void> | undefined
  await product()
    .transaction()
    .execute(async (trx) => {
      await sql`insert into kiwis values ('a', 1)`.execute(trx)
      migrating = migrate(process1(), folder)
      await pollUntil(
        async () =>
          (
            await rows(
              "select 1 from pg_stat_activity where query like '%pg_sleep(0.25)' and state = 'active' and pid <> pg_backend_pid()",
            )
          ).length > 0,
      )
      // This insert waits for the migration, which in turn is about to wait for this transaction.
      await sql`insert into moas (name) values ('a')`.execute(trx)
    })
  await migrating
  expect(await rows('select name from moas')).toEqual([{ name: 'a' }])
  expect(await rows('select grams from kiwis')).toEqual([{ grams: null }])
})
