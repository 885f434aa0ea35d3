import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Secrets } from './secrets.ts'

export type SealedColumn = { table: string; key: string; column: string }

const batchSize = 1_000

/**
 * Re-encrypts every value in a column that was encrypted with the previous key, so that changing the secret again loses nothing. Rows that
 * change in the meantime are left alone. Returns the number of re-encrypted rows.
 */
export async function resealRows(db: Db, secrets: Secrets, { table, key, column }: SealedColumn): Promise<number> {
  let [count, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await sql<{ key: string; sealed: string }>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(key)} > ${after} and ${sql.ref(column)} is not null
      order by ${sql.ref(key)} limit ${batchSize}`.execute(db)
    const outdatedRows = rows.flatMap((row) => {
      const resealedValue = secrets.reseal(row.sealed)
      return resealedValue ? [{ ...row, fresh: resealedValue }] : []
    })
    if (outdatedRows.length > 0) {
      const [keys, sealed, fresh] = [
        outdatedRows.map((row) => row.key),
        outdatedRows.map((row) => row.sealed),
        outdatedRows.map((row) => row.fresh),
      ]
      await sql`
        update ${sql.table(table)} as row set ${sql.ref(column)} = anew.fresh
        from unnest(${keys}::uuid[], ${sealed}::text[], ${fresh}::text[]) as anew (key, sealed, fresh)
        where row.${sql.ref(key)} = anew.key and row.${sql.ref(column)} = anew.sealed`.execute(db)
    }
    count += outdatedRows.length
    const last = rows.at(-1)
    if (rows.length < batchSize || !last) return count
    after = last.key
  }
}
