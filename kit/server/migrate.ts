import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, transact } from './db.ts'

/**
 * Runs the numbered `.sql` files of a folder that have not run yet, each in a transaction of its own.
 * Two processes that start at once take turns.
 */
export async function migrate(db: Db, folder: string): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, run_at timestamptz not null default now())`.execute(
    db,
  )
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  for (const name of files) {
    await transact(db, async (trx) => {
      await sql`lock table migrations in exclusive mode`.execute(trx)
      const done = await sql`select 1 from migrations where name = ${name}`.execute(trx)
      if (done.rows.length > 0) return
      for (const statement of statementsOf(readFileSync(join(folder, name), 'utf8')))
        await sql.raw(statement).execute(trx)
      await sql`insert into migrations (name) values (${name})`.execute(trx)
    })
  }
}

/** The extended protocol takes one statement at a time; our files end each with `;` at a line's end. */
function statementsOf(text: string): string[] {
  return text
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean)
}
