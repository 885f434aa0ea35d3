import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { createMigrationFolder, removeMigrationFolders } from '#quality/conventions/migration-folder.ts'
import { logInAs } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { makeDatabase, type TestDatabase } from '#quality/support/database.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { resumeOrder } from '#quality/support/purchases.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import { migrations } from './prepare-database.ts'

/**
 * The folder `earlier-version` holds what a demo of commit 7b3431c8 left behind: its database and its simulators'
 * ledgers. Reminders for two customers are waiting in the outbox, and the number of one of these customers has changed
 * since. A third customer's renewal has a payment whose outcome is unknown.
 */
const earlierVersion = join(import.meta.dirname, '../quality/support/earlier-version')
const stoppedAt = '2026-12-26T19:00:02Z'
const newestMigration = 81
const secretKey = '5f0c1f6e7b8a4d3c9e2b1a0f8d7c6b5a4f3e2d1c0b9a88776655443322110000'

const password = 'korimako1'
const reminded = {
  email: 'ana.a35921cea4ca@example.nz',
  service: '8f735239-99c2-4753-9956-0e271e5c63b0',
  msisdn: '+64219769530',
  puk: '84615076',
  knownBrowser: '8QJmKUvMt33_Yp-KzLoB42ino3O7izEKjyXqlf-sc6I.3a594f32a12ad45fc3e1d527d7d8bc24',
}
const movedEmail = 'ana.e6c534685b51@example.nz'
const inDoubt = { email: 'ana.0f7a8cd77617@example.nz', orderCode: 'FTKCE3F83HEE' }

removeMigrationFolders()
let database: TestDatabase
let folder: string
let world: World

/** Applies the migrations that the earlier version had. The application applies the newer migrations when it starts. */
async function migrateAsEarlierVersion(url: string): Promise<void> {
  const known = readdirSync(migrations).filter((name) => Number(name.slice(0, 4)) <= newestMigration)
  const texts = known.map((name) => [name, readFileSync(join(migrations, name), 'utf8')])
  const opened = await openDatabase({ url })
  try {
    await migrate(opened, createMigrationFolder(Object.fromEntries(texts)))
    await migrate(opened, join(import.meta.dirname, '../demo/migrations'))
  } finally {
    await opened.close()
  }
}

/** Foreign keys between orders and schedules point both ways, so all foreign keys are dropped while the rows are inserted. */
async function insertStoredRows(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; tbl: string; definition: string }>(
      `select conname as name, conrelid::regclass::text as tbl, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and conparentid = 0`,
    )
    const { rows: filled } = await client.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
    )
    await client.query(`truncate ${filled.map(({ name }) => name).join(', ')}`)
    for (const { name, tbl } of rows) await client.query(`alter table ${tbl} drop constraint ${name}`)
    await client.query(readFileSync(join(earlierVersion, 'database.dump'), 'utf8'))
    await client.query('set search_path to public')
    for (const { name, tbl, definition } of rows)
      await client.query(`alter table ${tbl} add constraint ${name} ${definition}`)
    // The demo's clock continues from the moment at which the earlier version stopped.
    await client.query(`update clock set offset_ms = extract(epoch from $1::timestamptz - now()) * 1000`, [stoppedAt])
    // Simulates an upgrade that takes less than a minute, which is the time allowed for a payment's outcome to become known.
    await client.query(`update payment_attempts set resolve_by = now() + interval '1 minute' where state = 'unknown'`)
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  database = await makeDatabase(process.env['DATABASE_URL'] ?? '', { empty: true })
  await migrateAsEarlierVersion(database.url)
  await insertStoredRows(database.url)
  folder = createDataFolder()
  for (const simulator of ['gateway', 'network']) {
    mkdirSync(join(folder, simulator), { recursive: true })
    const journal = `${simulator}.jsonl`
    copyFileSync(join(earlierVersion, journal), join(folder, simulator, journal))
  }
  world = await startWorld({ env: { DATABASE_URL: database.url, DATA_DIR: folder, SECRET_KEY: secretKey } })
})

afterAll(async () => {
  await world?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

describe('upgrade from an earlier version', () => {
  test('the upgraded application sends a waiting reminder if it still applies, and drops it otherwise', async () => {
    const outcomesOf = async (email: string) => {
      const { rows } = await sql<{ outcome: string }>`
        select case when sent_at is not null then 'sent' when dropped_at is not null then 'dropped' else 'waiting' end as outcome
        from messages
        where event_key like '%:ends-3:%'
          and service_id in (select services.id from services join users on users.id = user_id where email = ${email})`.execute(
        world.db,
      )
      return rows.map(({ outcome }) => outcome)
    }
    // Reminders are sent from 9 am.
    await world.advance('PT2H')
    await pollUntil(async () => !(await outcomesOf(reminded.email)).includes('waiting'))
    expect(await outcomesOf(reminded.email)).toEqual(['sent', 'sent'])
    await pollUntil(async () => !(await outcomesOf(movedEmail)).includes('waiting'))
    expect(await outcomesOf(movedEmail)).toEqual(['dropped', 'dropped'])
    expect((await world.smsTo(reminded.msisdn)).map(({ text }) => text).join()).toContain('3 days left')
  })

  test('the upgraded application resumes an order whose payment had no known outcome, and charges the customer once', async () => {
    const visitor = await logInAs(world, { email: inDoubt.email, password })
    expect(await resumeOrder(visitor, inDoubt.orderCode)).toMatchObject({ status: 200 })
    const { gateway } = await world.ledgers()
    const payments = gateway.filter(({ reference }) => reference.startsWith(inDoubt.orderCode))
    expect(payments).toMatchObject([{ authorised: 2200, captured: 2200, cancelled: 0 }])
  })

  test('the upgraded application shows a PUK that the earlier version encrypted', async () => {
    const visitor = await logInAs(world, { email: reminded.email, password })
    const { body } = await visitor.post(`/api/services/puk/${reminded.service}/`, { password })
    expect(body).toEqual({ puk: reminded.puk })
  })

  test('the upgraded application admits a customer from a known browser while it blocks strangers who guess the password', async () => {
    const login = async (visitor = world.visitor(), text = password) =>
      (await visitor.post('/api/account/login/', { username: reminded.email, password: text })).status
    for (let guess = 0; guess < 10; guess++) await login(world.visitor(), 'wrong 1')
    expect(await login()).toBe(429)
    const known = world.visitor()
    known.setCookie('fantail_device', reminded.knownBrowser)
    expect(await login(known)).toBe(200)
  })
})
