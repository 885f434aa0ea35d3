import { fromDate } from '#kit/server/clock.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type DueStep, createFirstChargeStep, computePostponedTime } from './auto-renewal.times.ts'
import { type CardProblem, type SavedCard, findCardProblem } from './card.ts'
import type { RenewalOffer } from './offer.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

export type StepFacts = {
  locked: LockedAutoRenewal
  /** The order for the last charge; `null` once its outcome has been recorded. */
  chargeOrder: Order | null
  /**
   * The current plan's renewal, completed or in progress, no matter whether the customer or auto-renewal ordered it.
   */
  renewal: Pick<Order, 'state'> | null
  /** True if the customer has asked for their account to be erased. */
  isLeaving: boolean
  /** The product and amount to charge; `null` if the next plan is no longer sold. */
  offer: RenewalOffer | null
  card: SavedCard | null
}

export type ChargeNotice = { offer: RenewalOffer; next: DueStep; card: SavedCard | null; trouble: CardProblem | null }

export type StepAction =
  | { act: 'record_charge'; order: Order }
  | { act: 'schedule'; next: DueStep | null }
  | ({ act: 'notify' } & ChargeNotice)
  | { act: 'charge'; offer: RenewalOffer }
  | { act: 'fail_card'; trouble: CardProblem; card: SavedCard | null }
  /** The plan ended before the charge was attempted. */
  | { act: 'miss' }
  | { act: 'withdraw' }

export function decideStep(
  { locked, chargeOrder, renewal, isLeaving, offer, card }: StepFacts,
  zone: string,
): StepAction {
  const { service, schedule, autoRenewal, now } = locked
  const { step, attempts } = autoRenewal
  if (!step) return { act: 'schedule', next: null }
  if (chargeOrder && isEndState(chargeOrder.state)) return { act: 'record_charge', order: chargeOrder }
  const hasEnded = Temporal.Instant.compare(schedule.expiresAt, now) <= 0
  if (renewal) {
    /*
     * A renewal in progress may still fail, so check again later. After a completed renewal, there is nothing to do
     * until the new plan begins.
     */
    const postponedStep = { step, attempts, dueAt: computePostponedTime(now, hasEnded) }
    return { act: 'schedule', next: isEndState(renewal.state) ? null : postponedStep }
  }
  if (service.released_at || !autoRenewal.enabled) return { act: 'schedule', next: null }
  if (hasEnded) return { act: 'miss' }
  /*
   * Do not charge customers whose account is about to be erased. If they withdraw the request, auto-renewal resumes
   * within an hour.
   */
  if (isLeaving) return { act: 'schedule', next: { step, attempts, dueAt: now.add({ hours: 1 }) } }
  if (!offer) return { act: 'withdraw' }
  if (step === 'notice') {
    const next = createFirstChargeStep(now, schedule.expiresAt, zone)
    return { act: 'notify', offer, next, card, trouble: findCardProblem(card, next.dueAt, zone) }
  }
  const cardProblem = findCardProblem(card, now, zone)
  return cardProblem ? { act: 'fail_card', trouble: cardProblem, card } : { act: 'charge', offer }
}

export const isStepDue = ({ autoRenewal: { step, due_at: dueAt }, now }: LockedAutoRenewal): boolean =>
  step !== null && dueAt !== null && Temporal.Instant.compare(fromDate(dueAt), now) <= 0
