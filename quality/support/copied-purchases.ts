import { sql } from 'kysely'
import { transact } from '#kit/server/db.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import type { World } from './world.ts'

/** Tables that contain rows for each purchase, in the order of insertion, each with the column that refers to the order. */
const copiedTables = [
  { table: 'orders', key: 'id' },
  { table: 'payment_attempts', key: 'order_id' },
  { table: 'invoices', key: 'order_id' },
] as const

let made = 0

/**
 * Copies a purchase `count` times, including its order, payment and invoice. The first copy is dated one second before the original, the
 * second two seconds before, and so on. Nothing is delivered or charged.
 */
export const copyPurchase = (world: Pick<World, 'db'>, orderCode: string, count: number): Promise<void> =>
  withTimeouts(bulkTimeouts, () => copy(world, orderCode, count))

async function copy({ db }: Pick<World, 'db'>, orderCode: string, count: number): Promise<void> {
  const salt = crypto.randomUUID()
  const first = made
  made += count
  const code = sql`'FC' || lpad((${first}::int + n)::text, 10, '0')`
  await transact(db, async (trx) => {
    for (const { table, key } of copiedTables)
      await sql`
        insert into ${sql.table(table)}
        select (jsonb_populate_record(${sql.ref(table)}, jsonb_build_object(
          'id', md5(${table} || n || ${salt}), 'order_id', md5('orders' || n || ${salt}),
          'order_code', ${code}, 'reference', ${code} || '-1',
          'session_id', null, 'voucher_id', null, 'schedule_id', null, 'renews_order_id', null, 'psp_reference', null,
          'idempotency_key', ${table === 'payment_attempts' ? sql`${code} || ${salt}` : sql`null`},
          'created_at', created_at - n * interval '1 second'
        ))).*
        from ${sql.table(table)}, generate_series(1, ${count}::int) n
        where ${sql.ref(key)} = (select id from orders where order_code = ${orderCode})`.execute(trx)
  })
}
