import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/**
 * Returns the columns that contain a text, as `table.column`. It searches every column that can hold text, in all schemas, but skips the
 * demo's own tables, because they stand for external systems such as mailboxes.
 */
export async function findColumnsContaining(db: Db, text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ schema: string; table: string; column: string }>`
    select columns.table_schema as schema, columns.table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and columns.table_schema not in ('pg_catalog', 'information_schema')
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'USER-DEFINED')
      and not starts_with(table_name, 'demo_')
    order by 1, 2, 3`.execute(db)
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const { rows } = await sql`
      select 1 from ${sql.id(schema, table)} where strpos(lower(${sql.id(column)}::text), ${text.toLowerCase()}) > 0 limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
