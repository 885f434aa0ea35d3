import { sql } from 'kysely'
import { transact } from '#kit/server/db.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import type { World } from './world.ts'

/** Tables that contain rows for each service, in the order of insertion, each with the column that refers to the service. */
const copiedTables = [
  { table: 'services', key: 'id' },
  { table: 'schedules', key: 'service_id' },
  { table: 'service_deadlines', key: 'service_id' },
  { table: 'auto_renewals', key: 'service_id' },
] as const

/**
 * Makes `count` copies of a customer's service, including its SIM, order, plan and deadlines. The network does not know about the copies.
 * Returns the ids of the new services.
 */
export const copyService = (world: Pick<World, 'db'>, id: string, count: number): Promise<string[]> =>
  withTimeouts(bulkTimeouts, () => copy(world, id, count))

/**
 * The number of copies made so far. Their identifiers are derived from it: with thousands of copies, random identifiers would sometimes
 * collide.
 */
let made = 0

async function copy({ db }: Pick<World, 'db'>, id: string, count: number): Promise<string[]> {
  const salt = crypto.randomUUID()
  const first = made
  made += count
  const randomDigits = (places: number) => sql`lpad((${first}::int + n)::text, ${places}::int, '0')`
  const own = sql`jsonb_build_object(
    'iccid', '8964' || ${randomDigits(15)}, 'msisdn', '+6428' || ${randomDigits(8)},
    'service_id', md5('service' || n || ${salt}), 'order_id', md5('order' || n || ${salt}),
    'short_id', '1' || ${randomDigits(7)}
  )`
  const generatedSeries = sql`generate_series(1, ${count}::int) n`
  return transact(db, async (trx) => {
    const [from] = (
      await sql<{ order_id: string; iccid: string }>`
      select order_id, iccid from services where id = ${id}`.execute(trx)
    ).rows
    if (!from) throw new Error('there is no such service')
    // Insert the SIM packs first, without their orders, because SIM packs and orders refer to each other.
    await sql`
      insert into sim_packs
      select (jsonb_populate_record(sim_packs, ${own} || '{"order_id": null, "activated_at": null}')).*
      from sim_packs, ${generatedSeries} where iccid = ${from.iccid}`.execute(trx)
    await sql`
      insert into orders
      select (jsonb_populate_record(orders, (${own} - 'service_id') || jsonb_build_object(
        'id', md5('order' || n || ${salt}), 'order_code', 'FT' || ${randomDigits(10)}, 'session_id', null,
        'idempotency_key', null, 'voucher_id', null, 'made_by_order', null
      ))).*
      from orders, ${generatedSeries} where id = ${from.order_id}`.execute(trx)
    for (const { table, key } of copiedTables)
      await sql`
        insert into ${sql.table(table)}
        select (jsonb_populate_record(
          ${sql.ref(table)}, ${own} || jsonb_build_object('id', md5(${table === 'services' ? 'service' : table} || n || ${salt}))
        )).*
        from ${sql.table(table)}, ${generatedSeries} where ${sql.ref(key)} = ${id}`.execute(trx)
    const { rows } = await sql<{ id: string }>`
      select md5('service' || n || ${salt})::uuid as id from ${generatedSeries}`.execute(trx)
    return rows.map((row) => row.id)
  })
}
