import { createHash } from 'node:crypto'
import type { Db, Trx } from '#kit/server/db.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { Outlook, Rules } from './outlook.ts'
import { findPlanAhead } from './outlooks.ts'

/**
 * What the messages about a service's plan rest on at an instant, as one short word: its number, its plan, and what comes
 * next. Null when there is no such service any more.
 */
export async function premiseOf(
  db: Db | Trx,
  rules: Rules,
  serviceId: string,
  now: Temporal.Instant,
): Promise<string | null> {
  const service = await findService(db, serviceId)
  if (!service || service.released_at) return null
  const ahead = await findPlanAhead(db, rules, service, now)
  return ahead && premiseOfOutlook(service.msisdn, ahead.orderId, ahead.outlook)
}

/** The same of a service whose outlook has been read. */
export function premiseOfOutlook(msisdn: string, orderId: string, outlook: Outlook): string {
  const facts = { msisdn, order: orderId, ...toldOf(outlook) }
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

/** Of what comes next, all that a message may say. */
function toldOf(outlook: Outlook): object {
  const { state, now, today, isRenewing, charge, card, failure } = outlook
  return {
    state,
    isRenewing,
    // Said in dates, these stay true; all else counts in days from today.
    day: state === 'renews' || state === 'card_trouble' ? null : today.toString(),
    ...(isRenewing && {
      chargeAt: charge.at.toString(),
      isDue: Temporal.Instant.compare(charge.at, now) <= 0,
      card: card?.stored_id ?? null,
    }),
    failure,
  }
}
