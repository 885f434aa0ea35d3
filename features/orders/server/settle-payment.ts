import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { isAttemptOpen, type SettledOutcome, type UnsettledRequest } from '../payment-attempts.states.ts'
import { orderTypes } from './order-types.ts'
import { listOrderEvents } from './order-events.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { transitionOrder, type Order, orderQueue } from './orders.store.ts'
import {
  type Attempt,
  isTechnicalCancelBegun,
  findLatestAttempt,
  lockAttempt,
  transitionAttempt,
} from './payments.store.ts'
import { emptyCardDetails, recordOutcome } from './payments.ts'
import { createCaptureRequest, recordUnconfirmedRequest } from './unconfirmed-requests.store.ts'

export async function findUnsettledPayment(db: Db, order: Order): Promise<UnsettledRequest | null> {
  const attempt = await findLatestAttempt(db, order.id)
  const unsettledRequest = attempt && findUnsettledRequest(order, attempt)
  if (!attempt || !unsettledRequest) return null
  const { reference, amount_cents: cents, created_at: attemptedAt } = attempt
  const captureStartedAt =
    unsettledRequest === 'capture'
      ? (await listOrderEvents(db, order.id)).findLast(({ to_state: state }) => state === 'capturing')?.at
      : undefined
  return {
    of: unsettledRequest,
    reference,
    cents,
    since: fromDate(captureStartedAt ?? attemptedAt),
    may: listPossibleOutcomes(unsettledRequest, attempt),
  }
}

function findUnsettledRequest({ state }: Order, attempt: Attempt): 'payment' | 'capture' | null {
  if (isPaymentOpen(state) && isAttemptOpen(attempt.state)) return 'payment'
  return state === 'capturing' && attempt.state === 'capturing' ? 'capture' : null
}

const listPossibleOutcomes = (of: 'payment' | 'capture', attempt: Attempt): SettledOutcome[] =>
  of === 'payment' && isTechnicalCancelBegun(attempt) ? ['not_paid'] : ['paid', 'not_paid']

type Settlement = { order: Order; reference: string; said: SettledOutcome; pspReference: string }

const manualSettlementNote = 'settled by hand'

/**
 * Records a payment outcome that a staff member has seen on the gateway's site. The transitions are the same as if the
 * gateway itself had reported it. Returns false if the payment already has an outcome, or if a different payment is open.
 */
export async function settlePayment(
  trx: Trx,
  deps: OrderDeps,
  { order, reference, said, pspReference }: Settlement,
): Promise<boolean> {
  const latestAttempt = await findLatestAttempt(trx, order.id)
  if (latestAttempt?.reference !== reference) return false
  const attempt = await lockAttempt(trx, latestAttempt.id)
  const unsettledRequest = findUnsettledRequest(order, attempt)
  if (!unsettledRequest || !listPossibleOutcomes(unsettledRequest, attempt).includes(said)) return false
  const isSettled = await (unsettledRequest === 'capture'
    ? settleCapture(trx, deps, { order, attempt, said, pspReference })
    : settleAuthorisation(trx, deps, { order, attempt, said, pspReference }))
  if (isSettled) await deps.jobs.send(trx, orderQueue, order.id)
  return isSettled
}

type LockedSettlement = Omit<Settlement, 'reference'> & { attempt: Attempt }

async function settleAuthorisation(
  trx: Trx,
  deps: OrderDeps,
  { attempt, said, pspReference }: LockedSettlement,
): Promise<boolean> {
  const updatedOrder = await recordOutcome(
    trx,
    deps,
    attempt,
    said === 'paid'
      ? { outcome: 'authorised', pspReference, card: emptyCardDetails }
      : { outcome: 'refused', pspReference, reason: manualSettlementNote },
  )
  return !isPaymentOpen(updatedOrder.state)
}

async function settleCapture(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt, said, pspReference }: LockedSettlement,
): Promise<boolean> {
  // Reversing the order releases the reserved money.
  if (said === 'not_paid')
    return (await transitionOrder(trx, order, 'fail', { failure_code: `capture ${manualSettlementNote}` })) !== null
  const capturedAttempt = await transitionAttempt(trx, attempt, 'captured', { capture_psp_reference: pspReference })
  if (!capturedAttempt) return false
  await recordUnconfirmedRequest(trx, deps, createCaptureRequest(capturedAttempt, pspReference))
  return (await orderTypes[order.kind].applyToService(trx, deps, order, 'captured')) !== null
}
