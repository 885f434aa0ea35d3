import type { Market } from '#kit/contract/bootstrap.ts'
import { dayOf, getLastDayBefore } from '#kit/server/relative-day.ts'
import { getCancellationDeadline, getLastReservedDay, getMidnight } from '#kit/server/plan-period.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { AutoRenewal, AutoRenewalFailure } from './auto-renewal.store.ts'
import { createFirstChargeStep, createNextChargeStep, createNoticeStep } from './auto-renewal.times.ts'
import { type CardProblem, type SavedCard, findCardProblem } from './card.ts'
import type { RenewalOffer } from './offer.ts'

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
    /**
     * True if auto-renewal placed the order. It does so on the plan's last day, when the next plan can no longer be
     * cancelled.
     */
    isPlacedByAutoRenewal: boolean
  } | null
  isCancelling: boolean
  autoRenewal: AutoRenewal | null
  offer: RenewalOffer | null
  card: SavedCard | null
}

export type PlanStatusContext = { market: Market; numberKeptDays: number }

type QueuedPlanStatus = {
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

export type PlanStatusState =
  | 'expired'
  | 'next_plan_paid'
  | 'next_plan_cancelling'
  | 'charging'
  | 'charge_failed'
  | 'card_trouble'
  | 'gave_up'
  /** Auto-renewal is or was on, but the plan is no longer sold. */
  | 'withdrawn'
  | 'renews'
  | 'last_day'
  | 'ends_soon'
  | 'ends'

export type PlanStatus = {
  state: PlanStatusState
  now: Temporal.Instant
  today: Temporal.PlainDate
  product: ProductRow
  /**
   * These three fields describe the current plan: `endsOn` is the day it expires, `lastDay` is its last full day, and `daysLeft` includes
   * today.
   */
  endsOn: Temporal.PlainDate
  lastDay: Temporal.PlainDate
  daysLeft: number
  numberKeptUntil: Temporal.PlainDate
  queued: QueuedPlanStatus | null
  isRenewing: boolean
  offer: RenewalOffer | null
  /**
   * When the offer will be charged, or would be if auto-renewal were switched on now, and when a failed charge would be
   * retried.
   */
  charge: { at: Temporal.Instant; retries: Temporal.Instant[] }
  notice: { at: Temporal.Instant; isSent: boolean }
  card: SavedCard | null
  /**
   * Why the card cannot be charged when the charge is due, even if it is still valid today. `null` if it can be
   * charged.
   */
  trouble: CardProblem | null
  failure: { reason: AutoRenewalFailure; card: string | null } | null
}

/**
 * Number of days before a plan's end during which it has the state `ends_soon`. `short` applies to plans of a week or
 * less.
 */
const endsSoonDays = { long: 7, short: 2 }

export function computePlanStatus(
  facts: PlanFacts,
  now: Temporal.Instant,
  { market, numberKeptDays }: PlanStatusContext,
): PlanStatus {
  const { zone } = market
  const { autoRenewal, expiresAt, card } = facts
  const [today, endsOn] = [dayOf(now, zone), dayOf(expiresAt, zone)]
  const queuedPlanStatus = facts.queued && createQueuedPlanStatus(facts.queued, now, zone)
  const { notice, charge } = computeScheduledTimes(
    facts,
    queuedPlanStatus && getMidnight(queuedPlanStatus.endsOn, zone),
    now,
    zone,
  )
  const statusFields = {
    now,
    today,
    product: facts.product,
    endsOn,
    lastDay: getLastDayBefore(expiresAt, zone),
    daysLeft: Math.max(0, today.until(endsOn, { largestUnit: 'days' }).days),
    numberKeptUntil: getLastReservedDay(expiresAt, zone, numberKeptDays),
    queued: queuedPlanStatus,
    isRenewing: autoRenewal?.enabled ?? false,
    offer: facts.offer,
    charge,
    notice,
    card,
    trouble: findCardProblem(card, charge.at, zone),
    failure: autoRenewal?.failure ? { reason: autoRenewal.failure, card: autoRenewal.failed_card } : null,
  }
  return { state: determinePlanState(statusFields, facts), ...statusFields }
}

function createQueuedPlanStatus(
  { startsAt, paidAt, isPlacedByAutoRenewal, ...paidPlan }: NonNullable<PlanFacts['queued']>,
  now: Temporal.Instant,
  zone: string,
): QueuedPlanStatus {
  const startsOn = dayOf(startsAt, zone)
  return {
    product: paidPlan.product,
    lengthDays: paidPlan.lengthDays,
    startsOn,
    endsOn: startsOn.add({ days: paidPlan.lengthDays }),
    paidOn: dayOf(paidAt, zone),
    byVoucher: paidPlan.byVoucher,
    orderCode: paidPlan.orderCode,
    paidCents: paidPlan.paidCents,
    canCancel: !isPlacedByAutoRenewal && Temporal.Instant.compare(now, getCancellationDeadline(startsAt, zone)) < 0,
  }
}

function computeScheduledTimes(
  { autoRenewal, expiresAt, queued }: PlanFacts,
  queuedEnd: Temporal.Instant | null,
  now: Temporal.Instant,
  zone: string,
): Pick<PlanStatus, 'charge' | 'notice'> {
  const end = queuedEnd ?? expiresAt
  const plannedStep = queued || !autoRenewal?.enabled || !autoRenewal.due_at ? null : autoRenewal
  const dueAt = plannedStep?.due_at ? Temporal.Instant.fromEpochMilliseconds(plannedStep.due_at.getTime()) : null
  const isNoticeSent = plannedStep?.step === 'charge'
  const startAt = queued?.startsAt ?? now
  const noticeDueAt = plannedStep?.step === 'notice' && dueAt ? dueAt : createNoticeStep(startAt, end, zone).dueAt
  const chargeDueAt =
    isNoticeSent && dueAt ? dueAt : createFirstChargeStep(maxInstant(noticeDueAt, startAt), end, zone).dueAt
  return {
    notice: { at: noticeDueAt, isSent: isNoticeSent },
    charge: { at: chargeDueAt, retries: listRetryTimes(chargeDueAt, plannedStep?.attempts ?? 0, end, zone) },
  }
}

function listRetryTimes(
  at: Temporal.Instant,
  attempts: number,
  end: Temporal.Instant,
  zone: string,
): Temporal.Instant[] {
  const next = createNextChargeStep(attempts + 1, at, end, zone)
  return next ? [next.dueAt, ...listRetryTimes(next.dueAt, next.attempts, end, zone)] : []
}

/** Determines a plan's state. The conditions are in order of precedence: the first one that matches wins. */
function determinePlanState(
  outlook: Omit<PlanStatus, 'state'>,
  { expiresAt, autoRenewal, product, isCancelling }: PlanFacts,
): PlanStatusState {
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
  return daysLeft <= (product.length_days > endsSoonDays.long ? endsSoonDays.long : endsSoonDays.short)
    ? 'ends_soon'
    : 'ends'
}

const maxInstant = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) > 0 ? one : other
