/* @module-tag slow */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { ConfigError } from './config.ts'
import { type Database, openDatabase } from './db.ts'
import { openSecrets } from './stored-keys.ts'
import { migrate } from './migrate.ts'
import { resealRows } from './reseal.ts'
import { createSecrets, storedKeyPurposes } from './secrets.ts'

const own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
const home = own ? null : createDataFolder()
const database: Database = await openDatabase(own ? { url: own.url } : { folder: home })
await migrate(database, join(import.meta.dirname, '../../db/migrations'))
const { db } = database

beforeEach(async () => void (await db.deleteFrom('kept_keys').execute()))
afterAll(async () => {
  await database.close()
  await own?.drop()
  if (home) rmSync(home, { recursive: true, force: true })
})

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `${name} ${randomBytes(16).toString('hex')}`) as [
  string,
  string,
  string,
  string,
]
const open = (secretKey: string, secretKeyPrevious: string | null = null) =>
  openSecrets(db, { mode: 'production', secretKey, secretKeyPrevious })
const hashesOf = (secrets: Awaited<ReturnType<typeof open>>) =>
  storedKeyPurposes.map((purpose) => secrets.hash(purpose, 'ABCDEFGHJKMN'))

test('long-lived hashes stay the same however often SECRET_KEY changes', async () => {
  const first = hashesOf(await open(a))
  expect(hashesOf(await open(a))).toEqual(first)
  for (const [now, before] of [
    [b, a],
    [c, b],
    [d, c],
  ] as const)
    expect(hashesOf(await open(now, before))).toEqual(first)
  expect(hashesOf(await open(d))).toEqual(first)
  expect(first).not.toEqual(hashesOf(createSecrets(a)))
  expect(new Set(first).size).toBe(storedKeyPurposes.length)
})

test('stored hashes stay the same after going back to the previous SECRET_KEY', async () => {
  const first = hashesOf(await open(a))
  await open(b, a)
  expect(hashesOf(await open(a, b))).toEqual(first)
})

test('processes that start at the same time use the same keys, even while SECRET_KEY changes', async () => {
  const fresh = await Promise.all([open(a), open(a), open(a)])
  for (const secrets of fresh) expect(hashesOf(secrets)).toEqual(hashesOf(fresh[0]))
  const changed = await Promise.all([open(b, a), open(b, a), open(a, b)])
  for (const secrets of changed) expect(hashesOf(secrets)).toEqual(hashesOf(fresh[0]))
})

test('does not start with a SECRET_KEY that cannot decrypt the stored keys, and changes nothing', async () => {
  const first = hashesOf(await open(a))
  await expect(open(b)).rejects.toThrow(ConfigError)
  await expect(open(c, b)).rejects.toThrow('set SECRET_KEY_PREVIOUS to that key')
  expect(hashesOf(await open(a))).toEqual(first)
})

test('a demo with a different secret can open the database and does not change its keys', async () => {
  const first = hashesOf(await open(a))
  const demo = await openSecrets(db, { mode: 'demo', secretKey: b, secretKeyPrevious: null })
  expect(hashesOf(demo)).toEqual(hashesOf(createSecrets(b)))
  expect(hashesOf(await open(a))).toEqual(first)
})

test('introducing stored keys does not change existing hashes, even if SECRET_KEY changes at the same time', async () => {
  const asBefore = async () => {
    await db.deleteFrom('kept_keys').execute()
    await db
      .insertInto('kept_keys')
      .values(storedKeyPurposes.map((purpose) => ({ purpose, sealed_key: null })))
      .execute()
  }
  const before = createSecrets(a).hash('voucher', 'ABCDEFGHJKMN')
  await asBefore()
  expect((await open(a)).hash('voucher', 'ABCDEFGHJKMN')).toBe(before)
  expect((await open(b, a)).hash('voucher', 'ABCDEFGHJKMN')).toBe(before)
  // During a key change, each server first accepts the new key as its secondary key and makes it the primary key later. Stored
  // values must be readable whichever of the two keys is the primary key.
  for (const [now, other] of [
    [b, a],
    [a, b],
  ] as const) {
    await asBefore()
    expect((await open(now, other)).hashes('voucher', 'ABCDEFGHJKMN')).toContain(before)
    expect((await open(c, now)).hashes('voucher', 'ABCDEFGHJKMN')).toContain(before)
  }
})

test('re-encrypts every database row except those that cannot be decrypted or already use the current key', async () => {
  await sql`create table if not exists sealed_things (id uuid primary key, sealed text)`.execute(db)
  const [old, present] = [createSecrets(a), createSecrets(b, { previous: a })]
  const texts = [...Array.from({ length: 2_300 }, (_, index) => old.seal(`thing ${index}`)), present.seal('new'), 'x']
  await sql`insert into sealed_things select gen_random_uuid(), text from unnest(${texts}::text[]) as text`.execute(db)
  await sql`insert into sealed_things values (gen_random_uuid(), null)`.execute(db)
  const seals = { table: 'sealed_things', key: 'id', column: 'sealed' }
  expect(await resealRows(db, present, seals)).toBe(2_300)
  expect(await resealRows(db, present, seals)).toBe(0)
  const next = createSecrets(b)
  const { rows } = await sql<{ sealed: string }>`
    select sealed from sealed_things where sealed is not null and sealed <> 'x'`.execute(db)
  const opened = rows.map(({ sealed }) => next.open(sealed)).toSorted()
  expect(opened).toEqual(['new', ...Array.from({ length: 2_300 }, (_, index) => `thing ${index}`)].toSorted())
})
