import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/*
 * The data export's queries name each exported column. Secrets and hashes are not exported. Lists that other people
 * can make long are read in pages.
 */

const rowsPerPage = 200

type PageCursor = { page_at: string; page_key: string }

/**
 * Reads a query's rows in pages, sorted by two columns: a time and a unique key. The key is compared as text.
 */
async function* readInPages<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  [timeColumn, keyColumn]: readonly [string, string],
): AsyncGenerator<(Row & PageCursor)[]> {
  const [time, key] = [sql.ref<Date>(timeColumn), sql<string>`${sql.ref(keyColumn)}::text`]
  const orderedQuery = query
    .select([sql<string>`${time}::text`.as('page_at'), key.as('page_key')])
    .orderBy(time)
    .orderBy(key)
    .limit(rowsPerPage)
  let after: PageCursor | undefined
  do {
    const cursor: PageCursor | undefined = after
    const page = cursor
      ? orderedQuery.where(sql<boolean>`(${time}, ${key}) > (${cursor.page_at}::timestamptz, ${cursor.page_key})`)
      : orderedQuery
    const rows = (await page.execute()) as (Row & PageCursor)[]
    yield rows
    after = rows.length === rowsPerPage ? rows.at(-1) : undefined
  } while (after)
}

export const exportSessions = (db: Db, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['created_at', 'last_seen_at', 'expires_at', 'browser', 'system'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const exportOrders = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('orders')
      .select([
        'id',
        'order_code',
        'kind',
        'state',
        'product',
        'paid_with',
        'amount_cents',
        'currency',
        'iccid',
        'msisdn',
      ])
      .select(['email', 'full_name', 'marketing_consent', 'porting', 'auto_renewal', 'failure_code'])
      .select(['starts_at', 'created_at', 'completed_at'])
      .where('user_id', '=', userId),
    ['created_at', 'id'],
  )

export const exportPayments = (db: Db, orderIds: readonly string[]) =>
  db
    .selectFrom('payment_attempts')
    .select(['payment_attempts.order_id', 'reference', 'payment_attempts.state', 'payment_attempts.amount_cents'])
    .select([
      'payment_attempts.currency',
      'card',
      'refusal',
      'payment_attempts.created_at',
      'captured_at',
      'cancelled_at',
    ])
    .where('payment_attempts.order_id', '=', sql<string>`any(${orderIds}::uuid[])`)
    .orderBy('payment_attempts.created_at')
    .orderBy('payment_attempts.id')
    .execute()

export const exportRefunds = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select(['order_code', 'reference', 'refunds.state', 'refunds.amount_cents', 'refunds.created_at'])
      .where('orders.user_id', '=', userId),
    ['refunds.created_at', 'refunds.id'],
  )

export const exportDocuments = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('invoices')
      .select(['order_code', 'document_type', 'msisdn', 'paid_with', 'email', 'full_name', 'line_items', 'tax_cents'])
      .select(['total_cents', 'currency', 'created_at'])
      .where('user_id', '=', userId),
    ['created_at', 'id'],
  )

export const exportTransfers = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('porting_requests')
      .innerJoin('services', 'services.id', 'porting_requests.service_id')
      .select(['porting_requests.service_id', 'porting_requests.msisdn', 'provider_id', 'billing_method'])
      .select(['prepaid_sim_number', 'account_number', 'status', 'failure_code'])
      .select(['porting_requests.created_at', 'porting_requests.ended_at'])
      .where('services.user_id', '=', userId),
    ['porting_requests.created_at', 'porting_requests.id'],
  )

export async function* exportMessages(db: Db, userId: string) {
  let after: { created_at: Date; id: string } | undefined
  do {
    const cursor = after
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'channel', 'recipient', 'subject', 'kind', 'created_at', 'sent_at', 'refused_at', 'dropped_at'])
      .select(['attachment', 'service_id', 'stated'])
      .where('user_id', '=', userId)
      .$if(cursor !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, id) > (${cursor?.created_at}, ${cursor?.id})`),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute()
    yield rows
    after = rows.length === rowsPerPage ? rows.at(-1) : undefined
  } while (after)
}

export const exportAddressChanges = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('email_changes')
      .select(['new_email', 'state', 'sent_to', 'created_at', 'ended_at'])
      .where('user_id', '=', userId),
    ['created_at', 'id'],
  )

export const exportUsageReadings = (db: Db, userId: string) =>
  db
    .selectFrom('usage_readings')
    .innerJoin('services', 'services.id', 'usage_readings.service_id')
    .select(['usage_readings.service_id', 'kind', 'reading', 'read_at'])
    .where('services.user_id', '=', userId)
    .execute()

export const exportAlerts = (db: Db, userId: string) =>
  db
    .selectFrom('usage_alerts')
    .innerJoin('services', 'services.id', 'usage_alerts.service_id')
    .select(['usage_alerts.service_id', 'threshold', 'channel'])
    .where('services.user_id', '=', userId)
    .orderBy('usage_alerts.service_id')
    .orderBy('threshold')
    .execute()

export const exportPlanEndAlerts = (db: Db, userId: string) =>
  db
    .selectFrom('plan_end_alerts')
    .innerJoin('services', 'services.id', 'plan_end_alerts.service_id')
    .select(['plan_end_alerts.service_id', 'channel'])
    .where('services.user_id', '=', userId)
    .orderBy('plan_end_alerts.service_id')
    .execute()

export const exportUsageWatches = (db: Db, userId: string) =>
  db
    .selectFrom('usage_watch')
    .innerJoin('services', 'services.id', 'usage_watch.service_id')
    .select(['usage_watch.service_id', 'cycle', 'last_threshold', 'left_mb', 'looked_at'])
    .where('services.user_id', '=', userId)
    .orderBy('usage_watch.service_id')
    .execute()

export const exportCycleUsage = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('cycle_usage')
      .innerJoin('services', 'services.id', 'cycle_usage.service_id')
      .innerJoin('products', 'products.unique_id', 'cycle_usage.product_id')
      .select(['cycle_usage.service_id', 'starts_at', 'ends_at', 'products.title', 'used_mb', 'ran_out_at'])
      .where('services.user_id', '=', userId),
    ['starts_at', 'cycle_usage.service_id'],
  )

export const exportRefusedPayments = (db: Db, userId: string) =>
  readInPages(
    db.selectFrom('refused_payments').select(['kind', 'iccid', 'asked_at', 'refused_at']).where('user_id', '=', userId),
    ['asked_at', 'refused_payments.reference'],
  )

export const exportCardUpdates = (db: Db, userId: string) =>
  readInPages(
    db.selectFrom('card_updates').select(['reference', 'state', 'failure', 'created_at']).where('user_id', '=', userId),
    ['created_at', 'card_updates.id'],
  )

export const exportAutoRenewals = (db: Db, userId: string) =>
  db
    .selectFrom('auto_renewals')
    .innerJoin('services', 'services.id', 'auto_renewals.service_id')
    .select(['service_id', 'enabled', 'step', 'due_at', 'notified_cents', 'failure', 'failed_card'])
    .where('services.user_id', '=', userId)
    .execute()

export const exportDisputes = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('disputes')
      .innerJoin('orders', 'orders.id', 'disputes.order_id')
      .select(['order_code', 'disputes.psp_reference', 'disputes.state', 'disputes.amount_cents', 'disputes.currency'])
      .select(['reason', 'disputes.due_at', 'disputes.created_at', 'changed_at', 'outcome', 'closed_at'])
      .select(['answer', 'answered_at', 'evidence_reference', 'handed_in_at'])
      .where('orders.user_id', '=', userId),
    ['disputes.created_at', 'disputes.id'],
  )

export const exportTransferEvents = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('porting_events')
      .innerJoin('porting_requests', 'porting_requests.id', 'porting_events.port_id')
      .innerJoin('services', 'services.id', 'porting_requests.service_id')
      .select(['porting_requests.msisdn', 'at', 'event', 'porting_events.status', 'porting_events.sub_state'])
      .select(['code', 'message'])
      .where('services.user_id', '=', userId),
    ['at', 'porting_events.id'],
  )

export const exportActivations = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('activations')
      .select(['state', 'iccid', 'msisdn', 'porting', 'full_name', 'email', 'marketing_consent', 'method'])
      .select(['product_id', 'started_at', 'ended_at'])
      .where('user_id', '=', userId),
    ['started_at', 'activations.id'],
  )

export const exportPinFailures = (db: Db, userId: string) =>
  db
    .selectFrom('pin_tries')
    .select([sql<string>`day::text`.as('day'), 'wrong'])
    .where('user_id', '=', userId)
    .orderBy('day')
    .execute()

export const exportPhoneChanges = (db: Db, userId: string) =>
  db
    .selectFrom('phone_changes')
    .innerJoin('services', 'services.id', 'phone_changes.service_id')
    .select(['msisdn', 'phone_changes.created_at'])
    .where('phone_changes.user_id', '=', userId)
    .execute()

export const exportErasureRequests = (db: Db, userId: string) =>
  readInPages(
    db
      .selectFrom('erasure_requests')
      .select(['state', 'asked_at', 'due_at', 'put_off_at', 'ended_at'])
      .where('user_id', '=', userId),
    ['asked_at', 'id'],
  )

export const exportMailStops = (db: Db, userId: string) =>
  db.selectFrom('mail_stops').select('stopped_at').where('user_id', '=', userId).execute()

export async function* exportAuditEvents(db: Db, userId: string) {
  let after: string | null = '0'
  while (after !== null) {
    const rows: { id: string; at: Date; event: string; actor: string | null; details: string }[] = await db
      .selectFrom('audit_events')
      .select([sql<string>`id::text`.as('id'), 'at', 'event', 'actor', 'details'])
      .where('user_id', '=', userId)
      .where(sql<boolean>`id > ${after}::bigint`)
      .orderBy(sql`audit_events.id`)
      .limit(rowsPerPage)
      .execute()
    yield rows
    after = rows.length === rowsPerPage ? (rows.at(-1)?.id ?? null) : null
  }
}
