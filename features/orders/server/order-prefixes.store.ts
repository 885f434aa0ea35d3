import type { Db } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    order_prefixes: { prefix: string }
  }
}

export type OrderPrefixes = ReadonlySet<string>

/** Records the prefix of new order codes, so that references with this prefix stay recognised after it changes. */
export async function recordOrderPrefix(db: Db, prefix: string): Promise<void> {
  await db
    .insertInto('order_prefixes')
    .values({ prefix })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists every prefix that order codes have had. Another process may add one at any time, so don't keep the result. */
export async function listOrderPrefixes(db: Db): Promise<OrderPrefixes> {
  const rows = await db.selectFrom('order_prefixes').select('prefix').execute()
  return new Set(rows.map(({ prefix }) => prefix))
}
