/* @module-tag slow */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { centsToDecimal } from '#kit/contract/money.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import {
  readColumns,
  exportedTables,
  readUserRows,
  readPersonalDataTables,
  unexportedTables,
} from '#quality/support/personal-data-tables.ts'
import { findColumnsContaining } from '#quality/support/find-text.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

test('every table with personal data is either exported or listed as deliberately left out', async () => {
  const { db } = world()
  const known = [...Object.keys(exportedTables), ...Object.keys(unexportedTables)]
  const tables = await readPersonalDataTables(db)
  expect(tables.filter((table) => !known.includes(table))).toEqual([])
  for (const [table, { notExported }] of Object.entries(exportedTables)) {
    const columns = await readColumns(db, table)
    expect(Object.keys(notExported).filter((column) => !columns.includes(column))).toEqual([])
  }
  for (const table of known) expect(await readColumns(db, table)).not.toEqual([])
})

/** A placeholder for every secret. The test checks that it does not appear in the export. */
const canary = 'canary-of-a-secret'

async function fillTheRest(userId: string, [service, order]: [serviceId: string, orderId: string]): Promise<void> {
  const at = new Date('2026-03-04T05:06:07.890Z')
  const [mail, ref] = [`new.${randomUUID()}@example.nz`, randomUUID()]
  for (const statement of [
    sql`insert into disputes (id, order_id, psp_reference, state, amount_cents, currency, reason, due_at, created_at,
        changed_at, outcome, closed_at, note, answer, answered_at, answered_by, evidence_reference, handed_in_at)
      values (${randomUUID()}, ${order}, ${`D${ref}`}, 'won', 2345, 'NZD', 'Goods not received', ${at}, ${at},
        ${at}, 'won', ${at}, ${canary}, 'contested', ${at}, ${canary}, ${`E${ref}`}, ${at})`,
    sql`insert into refunds (id, order_id, attempt, reference, idempotency_key, state, amount_cents, created_at, reason)
      values (${randomUUID()}, ${order}, 7, ${`R${ref}`}, ${`${canary}-${ref}`}, 'received', 1234, ${at}, ${canary})`,
    sql`insert into mail_stops (user_id, stopped_at) values (${userId}, ${at}) on conflict do nothing`,
    sql`insert into phone_changes (user_id, service_id, created_at) values (${userId}, ${service}, ${at})`,
    sql`insert into pin_tries (user_id, day, wrong) values (${userId}, '2026-02-03', 3)`,
    sql`insert into email_changes (id, user_id, new_email, state, pin_hash, pin_expires_at, sent_to, created_at, ended_at)
      values (${randomUUID()}, ${userId}, ${mail}, 'CANCELED', ${canary}, ${at}, '*** *** 0142', ${at}, ${at})`,
    sql`insert into card_updates (id, user_id, request_key, reference, idempotency_key, state, refusal, failure,
        asked_at, created_at, resolve_by)
      values (${randomUUID()}, ${userId}, ${canary}, ${`C${ref}`}, ${`${canary}-${ref}`}, 'refused', 'CVC Declined',
        'declined', ${at}, ${at}, ${at})`,
    sql`insert into refused_payments (reference, kind, asked_at, refused_at, address_hash, iccid, user_id)
      values (${`P${ref}`}, 'addon', ${at}, ${at}, ${canary}, '8964032100000000000', ${userId})`,
    sql`insert into usage_readings (service_id, kind, reading, fetched_at, read_at)
      values (${service}, 'summary', '{"left": 17}', ${at}, ${at})
      on conflict (service_id, kind) do update set read_at = excluded.read_at`,
    sql`insert into usage_alerts (service_id, threshold, channel) values (${service}, 80, 'email')`,
    sql`insert into plan_end_alerts (service_id, channel) values (${service}, 'email')`,
    sql`insert into usage_watch (service_id, cycle, last_threshold, left_mb, looked_at)
      values (${service}, ${at}, 80, 17.25, ${at})
      on conflict (service_id) do update set cycle = excluded.cycle, last_threshold = excluded.last_threshold,
        left_mb = excluded.left_mb, looked_at = excluded.looked_at`,
    sql`insert into cycle_usage (service_id, starts_at, ends_at, product_id, used_mb, ran_out_at)
      select service_id, ${at}::timestamptz, ${at}::timestamptz + interval '30 days', product_id, 4321, ${at}
      from schedules where service_id = ${service}`,
    sql`insert into erasure_requests (id, user_id, state, asked_at, put_off_at, ended_at)
      values (${randomUUID()}, ${userId}, 'called_off', ${at}, ${at}, ${at})`,
  ])
    await statement.execute(world().db)
}

const valuesIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [String(value)]

/**
 * Formats a column's value as the export writes it. Returns `null` for empty values, and for booleans, which are too
 * common to search for.
 */
function written(column: string, value: unknown): string | null {
  if (value === null || typeof value === 'boolean' || value === '') return null
  if (column.endsWith('_cents')) return centsToDecimal(Number(value))
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*[+]00:00$/.test(value)) return new Date(value).toISOString()
  return String(value)
}

test('for a customer with rows in every table, the data download contains every exported column and no secrets', async () => {
  const customer = await createCustomerWithAllData(world())
  const { id, visitor, password, second, fullName, email, ported } = customer
  const { db } = world()
  const order = await db.selectFrom('orders').select('id').where('user_id', '=', id).executeTakeFirstOrThrow()
  await fillTheRest(id, [second.id, order.id])
  const { url } = (await visitor.post('/api/account/privacy/data/', { password, format: 'json' })).body
  const { body: all } = await visitor.get(url)
  const values = new Set(valuesIn(all))

  const missing: string[] = []
  for (const [table, { notExported }] of Object.entries(exportedTables)) {
    const rows = await readUserRows(db, table, id)
    if (rows.length === 0) missing.push(`${table}: the customer has no row to look for`)
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const text = Object.hasOwn(notExported, column) ? null : written(column, value)
        if (text !== null && !values.has(text) && !missing.includes(`${table}.${column}`))
          missing.push(`${table}.${column}`)
      }
  }
  expect(missing).toEqual([])
  expect(JSON.stringify(all)).not.toContain(canary)
  expect(JSON.stringify(all)).not.toMatch(/\$argon2/)

  /*
   * A table may refer to the customer without a foreign key, so check that each table containing the customer's details is
   * listed as either exported or left out.
   */
  const known = [...Object.keys(exportedTables), ...Object.keys(unexportedTables)]
  for (const text of [fullName, customer.first_name, email, ported.slice(1), second.msisdn.slice(1)])
    expect(
      (await findColumnsContaining(db, text)).filter((place) => !known.includes(place.split('.')[0] ?? '')),
    ).toEqual([])
})
