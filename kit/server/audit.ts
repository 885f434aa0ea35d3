import type { ColumnType } from 'kysely'
import { type Actor, formatActor } from './actor.ts'
import { countAnonymousFailure } from './anonymous-failures.ts'
import { type Clock, toDate } from './clock.ts'
import type { Db, Trx } from './db.ts'

declare module './db.ts' {
  interface Tables {
    audit_events: {
      id?: never
      at: Date
      event: string
      user_id: string | null
      session_id: string | null
      /** The actor as text, from `actorName`; `null` if the customer acted. */
      actor: ColumnType<string | null, string | null | undefined, never>
      details: string
      staff_id: ColumnType<string | null, string | null | undefined, never>
      reason: ColumnType<string | null, string | null | undefined, never>
    }
  }
}

export type AuditEvent =
  | 'login'
  | 'login_failed'
  | 'logout'
  | 'session_ended'
  | 'other_sessions_ended'
  | 'password_confirmed'
  | 'password_wrong'
  | 'account_made'
  | 'accounts_joined'
  | 'address_disowned'
  | 'email_verified'
  | 'password_reset_requested'
  | 'password_reset'
  | 'password_changed'
  | 'email_change_requested'
  | 'email_change_pin_wrong'
  | 'email_change_canceled'
  | 'email_change_verified'
  | 'email_changed'
  | 'details_changed'
  | 'marketing_consent_changed'
  | 'phone_change_requested'
  | 'phone_change_canceled'
  | 'phone_changed'
  | 'card_update_requested'
  | 'card_updated'
  | 'card_removed'
  | 'auto_renewal_enabled'
  | 'auto_renewal_disabled'
  | 'number_transfer_requested'
  | 'number_transfer_cancel_requested'
  | 'number_transfer_code_entered'
  | 'number_transfer_reminded'
  | 'number_transfer_asked'
  | 'plan_renewed'
  | 'puk_shown'
  | 'addon_bought'
  | 'next_plan_cancelled'
  | 'next_plan_changed'
  | 'refund_requested'
  | 'order_refunded'
  | 'order_retried'
  | 'order_canceled'
  | 'lost_payment_undo_requested'
  | 'lost_operation_removed'
  | 'dispute_closed'
  | 'dispute_accepted'
  | 'dispute_contested'
  | 'payment_settled'
  | 'operator_task_done'
  | 'operator_task_taken'
  | 'operator_task_handed_back'
  | 'port_taken'
  | 'port_handed_back'
  | 'approval_asked'
  | 'approval_given'
  | 'approval_refused'
  | 'approval_withdrawn'
  | 'operator_token_made'
  | 'operator_token_revoked'
  | 'operator_token_refused'
  | 'catalogue_applied'
  | 'catalogue_scheduled'
  | 'catalogue_called_off'
  | 'catalogue_draft_kept'
  | 'catalogue_draft_dropped'
  | 'customer_signed_out'
  | 'customer_blocked'
  | 'customer_unblocked'
  | 'customer_unlocked'
  | 'caller_pin_sent'
  | 'caller_pin_wrong'
  | 'caller_verified'
  | 'message_resent'
  | 'customer_exported'
  | 'data_downloaded'
  | 'erasure_requested'
  | 'erasure_put_off'
  | 'erasure_called_off'
  | 'customer_erased'
  | 'sims_import_requested'
  | 'sims_load_confirmed'
  | 'sims_load_declined'
  | 'sims_loaded'
  | 'vouchers_begun'
  | 'vouchers_made'
  | 'voucher_batch_voided'
  | 'voucher_voided'
  | 'staff_invited'
  | 'staff_changed'
  | 'staff_suspended'
  | 'staff_sessions_ended'
  | 'staff_passkey_made'
  | 'staff_signed_in'
  | 'staff_signed_out'
  | 'staff_refused'
  | 'look_checked'
  | 'trail_exported'
  | 'refund_limits_changed'
  | 'note_written'
  | 'notice_said'
  | 'notice_prolonged'
  | 'notice_ended'
  | 'figures_rebuilt'
  | 'payment_refused'
  | 'too_many_requests'
  | 'csrf_refused'

type NewAuditEvent = {
  event: AuditEvent
  userId?: string | null
  sessionId?: string | null
  /** Who caused the event. Omitted if it was the customer with the id `userId`. */
  actor?: Actor
  /** Details must never contain an address, a phone number, a token or a PIN. */
  details?: Record<string, string | number | boolean>
}

const anonymousFailureEvents: ReadonlySet<AuditEvent> = new Set([
  'login_failed',
  'operator_token_refused',
  'password_reset_requested',
  'staff_refused',
])

/**
 * Writes an audit event in the same transaction as the change that it records. Anonymous failures that involve no account are counted per
 * hour instead, without their session or details.
 */
export async function audit(db: Db | Trx, clock: Clock, newEvent: NewAuditEvent): Promise<void> {
  const { event, userId = null, sessionId = null, actor, details = {} } = newEvent
  if (anonymousFailureEvents.has(event) && !userId && !actor) return countAnonymousFailure(db, clock, event)
  await db
    .insertInto('audit_events')
    .values({
      at: toDate(clock.now()),
      event,
      user_id: userId,
      session_id: sessionId,
      actor: actor ? formatActor(actor) : null,
      ...(actor?.by === 'staff' && { staff_id: actor.id, reason: actor.reason }),
      details: JSON.stringify(details),
    })
    .execute()
}

type AuditEventRow = { at: Date; event: AuditEvent; browser: string | null; system: string | null }

export async function listAuditEvents(
  db: Db,
  userId: string,
  events: readonly AuditEvent[],
  limit: number,
): Promise<AuditEventRow[]> {
  return db
    .selectFrom('audit_events')
    .leftJoin('sessions', 'sessions.id', 'audit_events.session_id')
    .select(['audit_events.at', 'audit_events.event', 'sessions.browser', 'sessions.system'])
    .where('audit_events.user_id', '=', userId)
    .where('audit_events.event', 'in', events)
    .orderBy('audit_events.at', 'desc')
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .$castTo<AuditEventRow>()
    .execute()
}

/**
 * Returns how many times an event has happened to a user since an instant, up to `most`, and when it last happened. `null` if it has not
 * happened.
 */
export async function countAuditEvents(
  db: Db,
  userId: string,
  event: AuditEvent,
  { since, most }: { since: Temporal.Instant; most: number },
): Promise<{ times: number; at: Date } | null> {
  const newestEvents = db
    .selectFrom('audit_events')
    .select('at')
    .where('user_id', '=', userId)
    .where('event', '=', event)
    .where('at', '>', toDate(since))
    .orderBy('at', 'desc')
    .limit(most)
  const { times, at } = await db
    .selectFrom(newestEvents.as('newest'))
    .select(({ fn }) => [fn.countAll().as('times'), fn.max('at').as('at')])
    .executeTakeFirstOrThrow()
  return at ? { times: Number(times), at } : null
}
