import { sql } from 'kysely'
import type { World } from '#testing/world.ts'

/** What a refusal may write, and why. Of `columns` only these are left out, otherwise the whole table. */
export const exceptions: readonly { table: string; columns?: string[]; why: string }[] = [
  { table: 'rate_limits', why: 'counts what is refused, too' },
  { table: 'audit_events', why: 'tells of what is refused' },
  { table: 'sessions', columns: ['last_seen_at'], why: 'a session is seen whatever it asks for' },
  { table: 'pin_tries', why: 'counts wrong PINs' },
  { table: 'refused_payments', why: 'counts refused payments' },
  { table: 'usage_readings', why: 'a copy of what the network said, made by whoever looks' },
  { table: 'browser_errors', why: 'what errors were told of' },
  { table: 'migrations', why: 'nobody writes there while the product runs' },
]

/** Every row of every table, and what the others have in their books. */
export type Snapshot = Map<string, string[]>

const left = (table: string) => exceptions.find((exception) => exception.table === table)

/** @param all tables, those also that a refusal may write into */
export async function takeSnapshot(world: World, { all = false } = {}): Promise<Snapshot> {
  const tables = (await tablesOf(world)).filter((table) => all || !left(table) || left(table)?.columns)
  const parts = tables.map((table) => {
    const columns = all ? [] : (left(table)?.columns ?? [])
    return `select '${table}' as name, (select json_agg((to_jsonb(r) - '{${columns.join(',')}}'::text[])::text) from ${table} r) as rows`
  })
  const { rows } = await sql.raw<{ name: string; rows: string[] | null }>(parts.join(' union all ')).execute(world.db)
  return new Map(rows.map(({ name, rows: lines }) => [name, (lines ?? []).sort()]))
}

const known = new WeakMap<World, string[]>()

async function tablesOf(world: World): Promise<string[]> {
  const tables = known.get(world) ?? (await sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(world.db)).rows.map(({ name }) => name)
  known.set(world, tables)
  return tables
}

/** Rows that are in one and not in the other, by table. */
export function changesBetween(before: Snapshot, after: Snapshot): { table: string; row: string }[] {
  return [...after].flatMap(([table, rows]) => {
    const [old, present] = [new Set(before.get(table)), new Set(rows)]
    const changed = [...rows.filter((row) => !old.has(row)), ...[...old].filter((row) => !present.has(row))]
    return changed.map((row) => ({ table, row }))
  })
}
