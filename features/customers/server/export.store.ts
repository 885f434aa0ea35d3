import type { Db } from '#kit/server/db.ts'

// All that is kept of a person, table by table, each column by its name. Secrets and hashes are none of it.

export const exportSessions = (db: Db, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['created_at', 'last_seen_at', 'expires_at', 'browser', 'system'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const exportOrders = (db: Db, userId: string) =>
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
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const exportPayments = (db: Db, userId: string) =>
  db
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select(['payment_attempts.order_id', 'reference', 'payment_attempts.state', 'payment_attempts.amount_cents'])
    .select([
      'payment_attempts.currency',
      'card',
      'refusal',
      'payment_attempts.created_at',
      'captured_at',
      'cancelled_at',
    ])
    .where('orders.user_id', '=', userId)
    .orderBy('payment_attempts.created_at')
    .orderBy('payment_attempts.id')
    .execute()

export const exportRefunds = (db: Db, userId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['order_code', 'reference', 'refunds.state', 'refunds.amount_cents', 'refunds.created_at'])
    .where('orders.user_id', '=', userId)
    .orderBy('refunds.created_at')
    .execute()

export const exportDocuments = (db: Db, userId: string) =>
  db
    .selectFrom('invoices')
    .select(['order_code', 'document_type', 'msisdn', 'paid_with', 'email', 'full_name', 'line_items', 'tax_cents'])
    .select(['total_cents', 'currency', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const exportTransfers = (db: Db, userId: string) =>
  db
    .selectFrom('porting_requests')
    .innerJoin('services', 'services.id', 'porting_requests.service_id')
    .select(['porting_requests.service_id', 'porting_requests.msisdn', 'provider_id', 'billing_method'])
    .select(['prepaid_sim_number', 'account_number', 'status', 'failure_code'])
    .select(['porting_requests.created_at', 'porting_requests.ended_at'])
    .where('services.user_id', '=', userId)
    .orderBy('porting_requests.created_at')
    .execute()

export const exportMessages = (db: Db, userId: string) =>
  db
    .selectFrom('messages')
    .select(['channel', 'recipient', 'subject', 'kind', 'created_at', 'sent_at', 'refused_at', 'dropped_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const exportAddressChanges = (db: Db, userId: string) =>
  db
    .selectFrom('email_changes')
    .select(['new_email', 'state', 'sent_to', 'created_at', 'ended_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const exportUse = (db: Db, userId: string) =>
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

/** What was noted of use, to tell of it once. */
export const exportWatches = (db: Db, userId: string) =>
  db
    .selectFrom('usage_watch')
    .innerJoin('services', 'services.id', 'usage_watch.service_id')
    .select(['usage_watch.service_id', 'cycle', 'last_threshold', 'left_mb', 'looked_at'])
    .where('services.user_id', '=', userId)
    .where('looked_at', 'is not', null)
    .orderBy('usage_watch.service_id')
    .execute()

export const exportCycles = (db: Db, userId: string) =>
  db
    .selectFrom('cycle_usage')
    .innerJoin('services', 'services.id', 'cycle_usage.service_id')
    .innerJoin('products', 'products.unique_id', 'cycle_usage.product_id')
    .select(['cycle_usage.service_id', 'starts_at', 'ends_at', 'products.title', 'used_mb', 'ran_out_at'])
    .where('services.user_id', '=', userId)
    .orderBy('cycle_usage.service_id')
    .orderBy('starts_at')
    .execute()

export const exportRefusedPayments = (db: Db, userId: string) =>
  db
    .selectFrom('refused_payments')
    .select(['kind', 'iccid', 'asked_at', 'refused_at'])
    .where('user_id', '=', userId)
    .orderBy('asked_at')
    .execute()

export const exportCardUpdates = (db: Db, userId: string) =>
  db
    .selectFrom('card_updates')
    .select(['reference', 'state', 'failure', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const exportActs = (db: Db, userId: string) =>
  db
    .selectFrom('audit_events')
    .select(['at', 'event', 'actor', 'details'])
    .where('user_id', '=', userId)
    .orderBy('at')
    .execute()
