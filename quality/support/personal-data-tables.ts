import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/**
 * An exported table. `of` is the condition that selects one person's rows. `notExported` maps each omitted column to the reason.
 */
type ExportedTable = { of: (userId: string) => RawBuilder<boolean>; notExported: Readonly<Record<string, string>> }

const own = (userId: string) => sql<boolean>`user_id = ${userId}`
const belongsToUserOrder = (userId: string) =>
  sql<boolean>`order_id in (select id from orders where user_id = ${userId})`
const belongsToUserService = (userId: string) =>
  sql<boolean>`service_id in (select id from services where user_id = ${userId})`

const id = 'an id of ours, of no meaning outside'
const secretReason = 'a secret, or the hash of one'
const ours = 'how we work on it: it says nothing of the person'
const exportedElsewhereReason = 'it is in another part'

/**
 * The tables included in a customer's data export. The test searches the export for the values in every column that is not listed under
 * `notExported`.
 */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  users: {
    of: (userId) => sql`id = ${userId}`,
    notExported: {
      password_hash: secretReason,
      contact_service_id: exportedElsewhereReason,
      made_by_order: id,
      made_in_session: id,
      limits_epoch: ours,
      password_epoch: ours,
    },
  },
  saved_cards: {
    of: own,
    notExported: { user_id: exportedElsewhereReason, stored_id: secretReason, shopper_reference: id },
  },
  services: { of: own, notExported: { user_id: exportedElsewhereReason, order_id: id } },
  schedules: {
    of: belongsToUserService,
    notExported: {
      id,
      short_id: id,
      service_id: exportedElsewhereReason,
      product_id: exportedElsewhereReason,
      order_id: id,
      starts_on: exportedElsewhereReason,
    },
  },
  queued_plans: {
    of: belongsToUserService,
    notExported: {
      service_id: exportedElsewhereReason,
      order_id: id,
      product_id: exportedElsewhereReason,
      length_days: ours,
    },
  },
  auto_renewals: {
    of: belongsToUserService,
    notExported: { attempts: ours, charge_order_id: id, notified_product_id: exportedElsewhereReason },
  },
  orders: {
    of: own,
    notExported: {
      id,
      version: ours,
      session_id: id,
      user_id: exportedElsewhereReason,
      idempotency_key: secretReason,
      product_id: exportedElsewhereReason,
      product: 'its title is exported; the rest is the catalogue’s',
      voucher_id: id,
      password_hash: secretReason,
      porting: exportedElsewhereReason,
      service_id: exportedElsewhereReason,
      retry_at: ours,
      tries: ours,
      lease_token: secretReason,
      lease_until: ours,
      due_at: ours,
      overdue_at: ours,
      schedule_id: id,
      renews_order_id: id,
      joins_user_id: id,
    },
  },
  payment_attempts: {
    of: belongsToUserOrder,
    notExported: {
      id,
      order_id: id,
      attempt: ours,
      idempotency_key: secretReason,
      shopper_reference: id,
      sealed_card: secretReason,
      stored_card_id: secretReason,
      store: ours,
      psp_reference: id,
      card: 'its parts are exported under their own names',
      resolve_by: ours,
      capture_psp_reference: id,
      capture_failed_at: ours,
      released_at: ours,
    },
  },
  refunds: {
    of: belongsToUserOrder,
    notExported: {
      id,
      order_id: id,
      attempt: ours,
      idempotency_key: secretReason,
      psp_reference: id,
      refusal: ours,
      retry_at: ours,
      tries: ours,
      reason: 'what a person at the provider noted',
      credit_cents: exportedElsewhereReason,
    },
  },
  disputes: {
    of: belongsToUserOrder,
    notExported: {
      id,
      order_id: id,
      closed_by: 'who at the provider did',
      answered_by: 'who at the provider did',
      note: 'what a person at the provider noted',
    },
  },
  invoices: {
    of: own,
    notExported: {
      id,
      order_id: id,
      service_id: exportedElsewhereReason,
      user_id: exportedElsewhereReason,
      refund_ref: exportedElsewhereReason,
      line_items: 'its lines are exported one by one',
      issuer: 'who we are',
      refund_id: id,
      auto_renewal: exportedElsewhereReason,
      is_partial: ours,
    },
  },
  activations: {
    of: own,
    notExported: {
      id,
      session_id: id,
      user_id: exportedElsewhereReason,
      setup_porting: exportedElsewhereReason,
      porting: 'the number is exported; the rest is in transfers once it is asked for',
      password_hash: secretReason,
      voucher_id: id,
      order_id: id,
      lapses_at: ours,
      joins_user_id: id,
    },
  },
  porting_requests: {
    of: belongsToUserService,
    notExported: {
      id,
      external_id: id,
      order_id: id,
      version: ours,
      failure_acknowledged_at: ours,
      retry_at: ours,
      tries: ours,
      handed_in_at: exportedElsewhereReason,
      cancel_asked_at: exportedElsewhereReason,
      sub_state: exportedElsewhereReason,
    },
  },
  porting_events: {
    of: (userId) => sql`port_id in (select id from porting_requests where ${belongsToUserService(userId)})`,
    notExported: { id, port_id: id, actor: 'who at the provider did' },
  },
  messages: {
    of: own,
    notExported: {
      id,
      event_key: id,
      message_id: id,
      sealed_body: 'it is gone once it is sent; until then it may hold a link that opens something',
      tries: ours,
      retry_at: ours,
      premise: ours,
      by_day: ours,
      due_at: ours,
      queued_at: ours,
      answer: 'the relay’s word to us, without their address',
      stated: 'its parts are exported under their own names',
      user_id: exportedElsewhereReason,
      ref: id,
    },
  },
  mail_stops: { of: own, notExported: { user_id: exportedElsewhereReason } },
  email_changes: {
    of: own,
    notExported: {
      id,
      user_id: exportedElsewhereReason,
      version: ours,
      pin_hash: secretReason,
      pin_expires_at: ours,
      link_wanted: ours,
      retry_at: ours,
      tries: ours,
      canceled_by: ours,
    },
  },
  phone_changes: { of: own, notExported: { user_id: exportedElsewhereReason, service_id: 'its number is exported' } },
  pin_tries: { of: own, notExported: { user_id: exportedElsewhereReason } },
  card_updates: {
    of: own,
    notExported: {
      id,
      user_id: exportedElsewhereReason,
      request_key: secretReason,
      idempotency_key: secretReason,
      sealed_card: secretReason,
      psp_reference: id,
      refusal: ours,
      asked_at: ours,
      resolve_by: ours,
      retry_at: ours,
    },
  },
  refused_payments: {
    of: own,
    notExported: { reference: id, address_hash: secretReason, session_id: id, user_id: exportedElsewhereReason },
  },
  usage_readings: { of: belongsToUserService, notExported: { fetched_at: ours, reading: 'it is exported as it is' } },
  usage_alerts: { of: belongsToUserService, notExported: { service_id: exportedElsewhereReason } },
  plan_end_alerts: { of: belongsToUserService, notExported: { service_id: exportedElsewhereReason } },
  usage_watch: {
    of: belongsToUserService,
    notExported: { service_id: exportedElsewhereReason, due_at: ours, taken: ours },
  },
  cycle_usage: {
    of: belongsToUserService,
    notExported: {
      service_id: exportedElsewhereReason,
      product_id: exportedElsewhereReason,
      is_whole: ours,
      due_at: ours,
    },
  },
  sessions: {
    of: own,
    notExported: { id, token_hash: secretReason, user_id: exportedElsewhereReason, authenticated_at: secretReason },
  },
  erasure_requests: { of: own, notExported: { id, user_id: exportedElsewhereReason } },
  audit_events: {
    of: own,
    notExported: {
      id,
      user_id: exportedElsewhereReason,
      session_id: id,
      details: 'it is exported as it is',
      staff_id: 'who at the provider did',
      reason: 'what a person at the provider noted',
    },
  },
}

/** Tables that refer to a person but are not exported, each with the reason. */
export const unexportedTables: Readonly<Record<string, string>> = {
  email_tokens: 'hashes of links; where each was sent is in the messages',
  reset_pins: 'hashes of PINs',
  password_reset_requests: 'sealed addresses that may be anybody’s, until the mail is written or for a day',
  erasure_links: 'hashes of links',
  erasures: 'there is nothing of who is in it to export',
  // Rows in the tables below remain when a customer is erased. They name staff members, but contain only the customer's id.
  access_log: 'who at the provider looked; it is said to who asks, by a person',
  caller_checks: 'hashes of PINs, and until when a caller counts as the customer',
  customer_notes: 'what a person at the provider noted; it goes when its customer is erased',
  network_operations: ours,
  order_events: ours,
  operator_tasks: 'what a person at the provider has to do',
  port_owners: 'which of the provider’s people is at a transfer',
  unconfirmed_calls: ours,
  service_deadlines: 'when we look at a plan next: what comes then is in the numbers',
  service_releases: ours,
  cancelled_plans: 'that a plan was called off is in its order, and what was given back in its refund',
  porting_milestones: 'steps of a transfer in the network’s words: the transfer and its events are exported',
  yearly_summaries: 'when the next summary of a year is due',
  sim_packs: 'what is printed on the SIM: its number is in the numbers',
  sim_load_lines: 'the file that a SIM came with',
  vouchers: 'the hash of a code; what it bought is in the orders',
  reserved_numbers: 'numbers that are on their way to us, which are in the transfers',
  card_removals: 'what the gateway has still to forget, by ids of ours',
}

export async function readPersonalDataTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    with recursive keys as (
      select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint where contype = 'f'
    ), persons as (
      select 'users' as name
      union select table_name::text from information_schema.columns
        where table_schema = 'public' and column_name = 'user_id'
      union select child from keys join persons on keys.parent = persons.name
    )
    select name as table from persons where not starts_with(name, 'demo_') order by 1`.execute(db)
  return rows.map(({ table }) => table)
}

export async function readColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`.execute(db)
  return rows.map(({ name }) => name)
}

export async function readUserRows(db: Db, table: string, userId: string): Promise<Record<string, unknown>[]> {
  const shown = exportedTables[table]
  if (!shown) throw new Error(`${table} is not exported`)
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(one) as row from ${sql.table(table)} as one where ${shown.of(userId)}`.execute(db)
  return rows.map(({ row }) => row)
}
