import pg from 'pg'
import type { ProductProcess } from './product-process.ts'

type World = { product: ProductProcess; databaseUrl: string | null }

/**
 * Starts Fantail as if it had been dead for two minutes, so that no test has to wait for back-off or for the dead process's leases (6 to 60
 * seconds). Orders keep their `lease_until`, and an embedded database is left unchanged. Don't use this if another process is running,
 * because its leases would end, too.
 */
export async function endLeasesAndStartProduct({ product, databaseUrl }: World): Promise<void> {
  if (databaseUrl && product.pid() === null) await endLeases(databaseUrl)
  await product.start()
}

/** Moves every `retry_at` in the future two minutes back, in all tables with that column. */
export async function endLeases(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ table: string }>(
      `select quote_ident(table_name) as table from information_schema.columns
      where table_schema = 'public' and column_name = 'retry_at'`,
    )
    for (const { table } of rows)
      await client.query(`update ${table} set retry_at = retry_at - interval '2 minutes' where retry_at > now()`)
  } finally {
    await client.end()
  }
}
