import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/** Returns the newest migration that has run. The demo's own migrations, which are numbered 9000 and up, do not count. */
export async function readMigration(db: Db): Promise<string> {
  const { rows } = await sql<{
    name: string | null
  }>`select max(name) as name from migrations where name < '9'`.execute(db)
  return rows[0]?.name ?? ''
}
