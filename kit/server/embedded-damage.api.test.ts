/* @module-tag slow */
import { cpSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'

const page = 8_192

const scratch = mkdtempSync(join(tmpdir(), 'fantail-damage-'))
const [whole, home] = [join(scratch, 'whole'), join(scratch, 'home')]
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let files: { orders: string; notes: string }
beforeAll(async () => {
  const { pglite, close } = await openEmbeddedDatabase(whole)
  await pglite.exec(`
    create table orders (id int primary key, words text);
    create table payments (id int primary key, order_id int not null references orders);
    create table notes (id int primary key);
    insert into orders select n, repeat('x', 100) from generate_series(1, 500) n;
    insert into payments select n, n from generate_series(1, 500) n;
    insert into notes select n from generate_series(1, 5) n;
    checkpoint`)
  const { rows } = await pglite.query<typeof files>(
    `select pg_relation_filepath('orders') as orders, pg_relation_filepath('notes') as notes`,
  )
  files = rows[0] ?? { orders: '', notes: '' }
  await close()
})
beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  cpSync(whole, home, { recursive: true })
})

const fileOf = (table: keyof typeof files): string => join(home, 'pg', files[table])

async function faultOfOpening(): Promise<string> {
  const error: unknown = await openEmbeddedDatabase(home).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  const { faults } = error as ConfigError
  expect(faults).toHaveLength(1)
  return faults[0] ?? ''
}

test("an intact embedded database opens, and hasFiles() returns false while the database's folder is moved away", async () => {
  const { hasFiles, close } = await openEmbeddedDatabase(home)
  expect(hasFiles()).toBe(true)
  renameSync(home, `${home}-moved`)
  expect(hasFiles()).toBe(false)
  renameSync(`${home}-moved`, home)
  await close()
})

test.each<[string, keyof typeof files, (file: string) => void]>([
  ['emptied', 'orders', (file) => truncateSync(file)],
  ['cut after its first page', 'orders', (file) => truncateSync(file, page)],
  ['overwritten with zeros', 'orders', (file) => writeFileSync(file, Buffer.alloc(page * 8))],
  ['emptied while nothing refers to it', 'notes', (file) => truncateSync(file)],
])(
  'an embedded database whose table file was %s does not open, and the message names the table',
  async (_how, table, damage) => {
    damage(fileOf(table))
    expect(await faultOfOpening()).toBe(
      `The embedded database in ${join(home, 'pg')} has lost rows of: ${table}. ` +
        `Restore the folder from a backup, or delete ${home} to start with an empty database.`,
    )
  },
)

test.each<[string, (pg: string) => void, RegExp]>([
  ['overwritten with other bytes', () => writeFileSync(fileOf('orders'), Buffer.alloc(page * 8, 7)), /invalid page/],
  [
    'from another version',
    (pg) => writeFileSync(join(pg, 'PG_VERSION'), '99\n'),
    /damaged, or belongs to another version/,
  ],
  ['without its control file', (pg) => rmSync(join(pg, 'global/pg_control')), /damaged, or belongs to another version/],
])(
  'an embedded database that is %s does not open, and the error message is a single line',
  async (_what, damage, line) => {
    damage(join(home, 'pg'))
    const fault = await faultOfOpening()
    expect(fault).toMatch(line)
    expect(fault).toMatch(/estore the folder from a backup.*\.$/)
    expect(fault).not.toContain('\n')
  },
)
