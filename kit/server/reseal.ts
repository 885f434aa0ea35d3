import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Secrets } from './secrets.ts'

export type Seals = { table: string; key: string; column: string }

const batch = 1_000

/**
 * Seals again everything that was sealed with the previous key, so that the next change of the secret loses nothing. Rows that change
 * meanwhile are left alone. Returns the number of resealed rows.
 */
export async function resealRows(db: Db, secrets: Secrets, { table, key, column }: Seals): Promise<number> {
  let [count, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await sql<{ key: string; sealed: string }>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(key)} > ${after} and ${sql.ref(column)} is not null
      order by ${sql.ref(key)} limit ${batch}`.execute(db)
    const stale = rows.flatMap((row) => {
      const fresh = secrets.reseal(row.sealed)
      return fresh ? [{ ...row, fresh }] : []
    })
    if (stale.length > 0) {
      const [keys, sealed, fresh] = [
        stale.map((row) => row.key),
        stale.map((row) => row.sealed),
        stale.map((row) => row.fresh),
      ]
      await sql`
        update ${sql.table(table)} as row set ${sql.ref(column)} = anew.fresh
        from unnest(${keys}::uuid[], ${sealed}::text[], ${fresh}::text[]) as anew (key, sealed, fresh)
        where row.${sql.ref(key)} = anew.key and row.${sql.ref(column)} = anew.sealed`.execute(db)
    }
    count += stale.length
    const last = rows.at(-1)
    if (rows.length < batch || !last) return count
    after = last.key
  }
}
