import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from '#kit/server/db.ts'

export type DatabaseRows = Record<string, object[]>

const excludedTables = ['migrations', 'demo_clock_followers']

type Column = { table: string; column: string; sequence: string | null }

async function listColumns(db: Db | Trx): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select relname as table, attname as column,
      case when attidentity <> '' then pg_get_serial_sequence(quote_ident(relname), attname) end as sequence
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and attnum > 0 and not attisdropped and attgenerated = '' and relname <> all(${excludedTables}::text[])
    order by relname, attnum`.execute(db)
  return rows
}

export async function readRows(db: Db): Promise<DatabaseRows> {
  const read: DatabaseRows = {}
  for (const table of new Set((await listColumns(db)).map(({ table }) => table))) {
    const { rows } = await sql<{ all: object[] | null }>`
      select jsonb_agg(to_jsonb(each)) as all from ${sql.table(table)} as each`.execute(db)
    if (rows[0]?.all) read[table] = rows[0].all
  }
  return read
}

/**
 * Fills an unused database with rows from another database, and calls `atEnd` before committing. Returns false if the database is already
 * in use.
 * @throws if the databases have different tables
 */
export const fillDatabase = (db: Db, rows: DatabaseRows, atEnd: () => void = () => {}): Promise<boolean> =>
  transact(db, async (trx) => {
    // If two processes start at the same time, the table lock makes the second wait for the first.
    await sql`lock table demo_sims in exclusive mode`.execute(trx)
    const { rows: used } = await sql`select from demo_sims union all select from users limit 1`.execute(trx)
    if (used.length > 0) return false
    const columns = Map.groupBy(await listColumns(trx), ({ table }) => table)
    const tables = Object.keys(rows)
    await runAsOneStatement(
      trx,
      tables.map((table) => sql`delete from ${sql.table(table)}`),
    )
    await runAsOneStatement(
      trx,
      tables.map((table) => buildInsertStatement(table, columns.get(table) ?? [], rows[table] ?? [])),
    )
    for (const { table, column, sequence } of [...columns.values()].flat())
      if (sequence)
        await sql`
          select setval(${sequence}::regclass, greatest(max(${sql.ref(column)}), 1), max(${sql.ref(column)}) is not null)
          from ${sql.table(table)}`.execute(trx)
    atEnd()
    return true
  })

/** Run all inserts as one statement, because foreign keys are checked only at the end of a statement. */
async function runAsOneStatement(trx: Trx, parts: RawBuilder<unknown>[]): Promise<void> {
  const named = parts.map((part, at) => sql`${sql.ref(`part_${at}`)} as (${part})`)
  if (parts.length > 0) await sql`with ${sql.join(named)} select`.execute(trx)
}

function buildInsertStatement(table: string, columns: Column[], rows: object[]): RawBuilder<unknown> {
  const names = sql.join(columns.map(({ column }) => sql.ref(column)))
  return sql`
    insert into ${sql.table(table)} (${names}) overriding system value
    select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`
}
