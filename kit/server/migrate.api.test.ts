import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { createMigrationFolder, removeMigrationFolders } from '#quality/conventions/migration-folder.ts'
import { type Database, openDatabase } from './db.ts'
import { migrate } from './migrate.ts'
import { readSchemaFault } from './migration-ledger.ts'

removeMigrationFolders()
let database: Database
let drop = async (): Promise<void> => {}
beforeAll(async () => {
  const own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL'], { empty: true }) : null
  database = await openDatabase(own ? { url: own.url } : { folder: null })
  drop = async () => {
    await database.close()
    await own?.drop()
  }
})
afterAll(() => drop())
beforeEach(async () => {
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
})

const kiwis =
  "-- A bird.\ncreate table kiwis (name text primary key, weight integer);\ninsert into kiwis values ('a', null), ('b', 2);\n"
const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const ran = async () => (await rows('select name from migrations order by name')).map(({ name }) => name)

describe('database migrations', () => {
  test('runs each migration once, in order', async () => {
    const folder = createMigrationFolder({
      '0001_kiwis.sql': kiwis,
      '0002_more.sql': "insert into kiwis values ('c', 3);\n",
    })
    await migrate(database, folder)
    await migrate(database, folder)
    expect(await ran()).toEqual(['0001_kiwis.sql', '0002_more.sql'])
    expect(await rows('select name from kiwis')).toHaveLength(3)
  })

  test('rolls back a migration that fails', async () => {
    const folder = createMigrationFolder({ '0001_kiwis.sql': `${kiwis}insert into moas values (1);\n` })
    await expect(migrate(database, folder)).rejects.toThrow('moas')
    expect(await rows("select to_regclass('kiwis') as kiwis")).toEqual([{ kiwis: null }])
    await migrate(database, createMigrationFolder({ '0001_kiwis.sql': kiwis }))
    expect(await ran()).toEqual(['0001_kiwis.sql'])
  })

  test('a migration that failed outside a transaction can be run again', async () => {
    await migrate(database, createMigrationFolder({ '0001_kiwis.sql': kiwis }))
    const index =
      '-- no transaction\ncreate unique index concurrently if not exists kiwis_by_weight on kiwis (coalesce(weight, 2));\n'
    const [half, whole] = [
      `${index}insert into moas values (1);\n`,
      `${index}create index concurrently if not exists kiwis_by_name on kiwis (name);\n`,
    ]
    // Two rows have the same weight, so building the unique index fails and leaves an invalid index.
    await expect(migrate(database, createMigrationFolder({ '0002_index.sql': half }))).rejects.toThrow(
      'kiwis_by_weight',
    )
    await rows("update kiwis set weight = 1 where name = 'a' returning 1")
    await expect(migrate(database, createMigrationFolder({ '0002_index.sql': half }))).rejects.toThrow('moas')
    await migrate(database, createMigrationFolder({ '0002_index.sql': whole }))
    expect(await ran()).toContain('0002_index.sql')
    const indexes =
      "select indisvalid from pg_index where indexrelid in ('kiwis_by_weight'::regclass, 'kiwis_by_name'::regclass)"
    expect(await rows(indexes)).toEqual([{ indisvalid: true }, { indisvalid: true }])
  })

  test('a migration without a transaction repeats a batched update until no rows are left', async () => {
    await migrate(
      database,
      createMigrationFolder({
        '0001_kiwis.sql': `${kiwis}insert into kiwis select 'n' || n from generate_series(1, 25) n;\n`,
      }),
    )
    const text = `-- no transaction
update kiwis set weight = 7 where name in (select name from kiwis where weight is null order by name limit 10);
`
    await migrate(database, createMigrationFolder({ '0002_weigh.sql': text }))
    expect(await rows('select count(*)::int as light from kiwis where weight is null')).toEqual([{ light: 0 }])
  })
})

describe('older application versions running with a newer database schema', () => {
  const expanded = { '0001_kiwis.sql': kiwis, '0002_grams.sql': 'alter table kiwis add column grams integer;\n' }
  const contracted = {
    ...expanded,
    '0003_no_weight.sql': '-- Nothing reads it any more.\n-- needs: 0002\nalter table kiwis drop column weight;\n',
  }
  const older = () => createMigrationFolder({ '0001_kiwis.sql': kiwis })

  test('an older application version works with a database schema that has since been expanded', async () => {
    await migrate(database, createMigrationFolder(expanded))
    expect(await readSchemaFault(database.db, '0001')).toBeNull()
    await migrate(database, older())
  })

  test('an older application version does not start with a contracted schema if it lacks a migration that this schema needs', async () => {
    await migrate(database, createMigrationFolder(contracted))
    const line =
      'The database belongs to a newer version, and this version cannot use it: 0003_no_weight.sql needs migration 0002, ' +
      'and this version ends with 0001. Start the newer version.'
    expect(await readSchemaFault(database.db, '0001')).toBe(line)
    await expect(migrate(database, older())).rejects.toMatchObject({ name: 'ConfigFault', faults: [line] })
    await migrate(database, createMigrationFolder(expanded))
  })

  test('continues to use a migrations table that was created without the column `needs`', async () => {
    await rows('create table migrations (name text primary key, run_at timestamptz not null default now())')
    await rows("insert into migrations (name) values ('0001_kiwis.sql')")
    await rows('create table kiwis (weight integer)')
    expect(await readSchemaFault(database.db, '0001')).toBeNull()
    await migrate(database, createMigrationFolder(expanded))
    await migrate(database, createMigrationFolder(contracted))
    expect(await rows('select needs from migrations order by name')).toEqual([
      { needs: null },
      { needs: null },
      { needs: '0002' },
    ])
  })

  test('rejects an update that skips a version while older processes may run, and changes nothing', async () => {
    await migrate(database, older())
    const jump = migrate({ ...database, embedded: false }, createMigrationFolder(contracted))
    await expect(jump).rejects.toThrow('0003_no_weight.sql removes something that versions before 0002 need')
    expect(await ran()).toEqual(['0001_kiwis.sql'])
    await migrate({ ...database, embedded: false }, createMigrationFolder(contracted), { alone: true })
    expect(await ran()).toHaveLength(3)
  })

  test('updating an embedded database may skip a version, because no other process is using the database', async () => {
    await migrate(database, older())
    await migrate({ ...database, embedded: true }, createMigrationFolder(contracted))
    expect(await ran()).toHaveLength(3)
  })
})
