import { sql } from 'kysely'
import type { Db, Trx } from './db.ts'

type Privilege = 'select' | 'insert' | 'update' | 'delete'
const allPrivileges: readonly Privilege[] = ['select', 'insert', 'update', 'delete']

export type RolePrivileges = { role: string; only: Readonly<Record<string, readonly Privilege[]>> }

/** Grants a role its privileges on the tables. Must be run by the tables' owner. */
export async function grantPrivileges(db: Db | Trx, { role, only }: RolePrivileges): Promise<void> {
  const to = sql.id(role)
  for (const schema of await existingSchemas(db)) {
    const name = sql.id(schema)
    await sql`grant usage on schema ${name} to ${to}`.execute(db)
    await sql`grant ${sql.raw(allPrivileges.join(', '))} on all tables in schema ${name} to ${to}`.execute(db)
    await sql`grant usage, select on all sequences in schema ${name} to ${to}`.execute(db)
  }
  for (const [table, rights] of Object.entries(only)) {
    const revokedPrivileges = allPrivileges.filter((right) => !rights.includes(right))
    const { rows } = await sql`select 1 where to_regclass(${table}) is not null`.execute(db)
    if (rows.length > 0 && revokedPrivileges.length > 0)
      await sql`revoke ${sql.raw(revokedPrivileges.join(', '))} on ${sql.id(table)} from ${to}`.execute(db)
  }
}

async function existingSchemas(db: Db | Trx): Promise<string[]> {
  const { rows } = await sql<{ nspname: string }>`
    select nspname from pg_namespace where nspname in (current_schema(), 'pgboss')`.execute(db)
  return rows.map(({ nspname }) => nspname)
}
