import type { Market } from '#kit/contract/bootstrap.ts'
import { dayOf, lastDayBefore } from '#kit/server/day-words.ts'
import { cancellableUntil, lastDayKept, midnight } from '#kit/server/plan-period.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal, Failure } from './auto-renewal.store.ts'
import { firstCharge, nextCharge, noticeStep } from './auto-renewal.times.ts'
import { type CardTrouble, type SavedCard, troubleOf } from './card.ts'
import type { Offer } from './offer.ts'

export type PlanFacts = {
  product: ProductRow
  expiresAt: Temporal.Instant
  queued: {
    product: ProductRow
    lengthDays: number
    startsAt: Temporal.Instant
    paidAt: Temporal.Instant
    byVoucher: boolean
    orderCode: string
    paidCents: number
    /** Charged by auto-renewal on the last day, which is too late for a cancellation. */
    byUs: boolean
  } | null
  isCancelling: boolean
  autoRenewal: AutoRenewal | null
  offer: Offer | null
  card: SavedCard | null
}

export type Rules = { market: Market; numberKeptDays: number }

type QueuedOutlook = {
  product: ProductRow
  lengthDays: number
  startsOn: Temporal.PlainDate
  endsOn: Temporal.PlainDate
  paidOn: Temporal.PlainDate
  byVoucher: boolean
  orderCode: string
  paidCents: number
  canCancel: boolean
}

export type OutlookState =
  | 'expired'
  | 'next_plan_paid'
  | 'next_plan_cancelling'
  | 'charging'
  | 'charge_failed'
  | 'card_trouble'
  | 'gave_up'
  | 'withdrawn'
  | 'renews'
  | 'last_day'
  | 'ends_soon'
  | 'ends'

export type Outlook = {
  state: OutlookState
  now: Temporal.Instant
  today: Temporal.PlainDate
  product: ProductRow
  /** The current plan: the day on which it expires, its last full day, and the number of days left including today. */
  endsOn: Temporal.PlainDate
  lastDay: Temporal.PlainDate
  daysLeft: number
  numberKeptUntil: Temporal.PlainDate
  queued: QueuedOutlook | null
  isRenewing: boolean
  offer: Offer | null
  /**
   * When the offer is charged, or would be charged if auto-renewal were switched on now, and the later attempts if it
   * fails.
   */
  charge: { at: Temporal.Instant; retries: Temporal.Instant[] }
  notice: { at: Temporal.Instant; isSent: boolean }
  card: SavedCard | null
  /** Why the card cannot be charged at the time of the charge; it may be valid now. `null` when it can be charged. */
  trouble: CardTrouble | null
  failure: { reason: Failure; card: string | null } | null
}

/** A plan "ends soon" for this many days. Plans of a week or less use the short value. */
const soonDays = { long: 7, short: 2 }

export function outlook(facts: PlanFacts, now: Temporal.Instant, { market, numberKeptDays }: Rules): Outlook {
  const { zone } = market
  const { autoRenewal, expiresAt, card } = facts
  const [today, endsOn] = [dayOf(now, zone), dayOf(expiresAt, zone)]
  const queued = facts.queued && queuedOf(facts.queued, now, zone)
  const { notice, charge } = timesOf(facts, queued && midnight(queued.endsOn, zone), now, zone)
  const parts = {
    now,
    today,
    product: facts.product,
    endsOn,
    lastDay: lastDayBefore(expiresAt, zone),
    daysLeft: Math.max(0, today.until(endsOn, { largestUnit: 'days' }).days),
    numberKeptUntil: lastDayKept(expiresAt, zone, numberKeptDays),
    queued,
    isRenewing: autoRenewal?.enabled ?? false,
    offer: facts.offer,
    charge,
    notice,
    card,
    trouble: troubleOf(card, charge.at, zone),
    failure: autoRenewal?.failure ? { reason: autoRenewal.failure, card: autoRenewal.failed_card } : null,
  }
  return { state: stateOf(parts, facts), ...parts }
}

function queuedOf(
  { startsAt, paidAt, byUs, ...paid }: NonNullable<PlanFacts['queued']>,
  now: Temporal.Instant,
  zone: string,
): QueuedOutlook {
  const startsOn = dayOf(startsAt, zone)
  return {
    product: paid.product,
    lengthDays: paid.lengthDays,
    startsOn,
    endsOn: startsOn.add({ days: paid.lengthDays }),
    paidOn: dayOf(paidAt, zone),
    byVoucher: paid.byVoucher,
    orderCode: paid.orderCode,
    paidCents: paid.paidCents,
    canCancel: !byUs && Temporal.Instant.compare(now, cancellableUntil(startsAt, zone)) < 0,
  }
}

function timesOf(
  { autoRenewal, expiresAt, queued }: PlanFacts,
  queuedEnd: Temporal.Instant | null,
  now: Temporal.Instant,
  zone: string,
): Pick<Outlook, 'charge' | 'notice'> {
  const end = queuedEnd ?? expiresAt
  const planned = queued || !autoRenewal?.enabled || !autoRenewal.due_at ? null : autoRenewal
  const dueAt = planned?.due_at ? Temporal.Instant.fromEpochMilliseconds(planned.due_at.getTime()) : null
  const isSent = planned?.step === 'charge'
  const from = queued?.startsAt ?? now
  const noticeAt = planned?.step === 'notice' && dueAt ? dueAt : noticeStep(from, end, zone).dueAt
  const at = isSent && dueAt ? dueAt : firstCharge(later(noticeAt, from), end, zone).dueAt
  return {
    notice: { at: noticeAt, isSent },
    charge: { at, retries: triesAfter(at, planned?.attempts ?? 0, end, zone) },
  }
}

function triesAfter(at: Temporal.Instant, attempts: number, end: Temporal.Instant, zone: string): Temporal.Instant[] {
  const next = nextCharge(attempts + 1, at, end, zone)
  return next ? [next.dueAt, ...triesAfter(next.dueAt, next.attempts, end, zone)] : []
}

/** The first matching state wins. States that need the customer's attention come first. */
function stateOf(
  outlook: Omit<Outlook, 'state'>,
  { expiresAt, autoRenewal, product, isCancelling }: PlanFacts,
): OutlookState {
  const { isRenewing, failure, daysLeft } = outlook
  if (Temporal.Instant.compare(expiresAt, outlook.now) <= 0) return 'expired'
  if (outlook.queued) return 'next_plan_paid'
  if (isCancelling) return 'next_plan_cancelling'
  if (autoRenewal?.charge_order_id) return 'charging'
  if (isRenewing && !outlook.offer) return 'withdrawn'
  if (isRenewing && failure && autoRenewal?.due_at && !outlook.trouble) return 'charge_failed'
  if (isRenewing && outlook.trouble) return 'card_trouble'
  if (!isRenewing && failure) return failure.reason === 'withdrawn' ? 'withdrawn' : 'gave_up'
  if (isRenewing) return 'renews'
  if (daysLeft <= 1) return 'last_day'
  return daysLeft <= (product.length_days > soonDays.long ? soonDays.long : soonDays.short) ? 'ends_soon' : 'ends'
}

const later = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) > 0 ? one : other
