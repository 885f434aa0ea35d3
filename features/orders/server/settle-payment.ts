import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { isAttemptOpen, type SettledAs, type Unsettled } from '../payment-attempts.states.ts'
import { kinds } from './kinds.ts'
import { orderEventsOf } from './order-events.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { moveOrder, type Order, orderRetries } from './orders.store.ts'
import { type Attempt, isBeingGivenUp, latestAttempt, lockAttempt, moveAttempt } from './payments.store.ts'
import { noDetails, recordOutcome } from './payments.ts'
import { captureOf, expectOutcome } from './unconfirmed-calls.store.ts'

export async function unsettledPayment(db: Db, order: Order): Promise<Unsettled | null> {
  const attempt = await latestAttempt(db, order.id)
  const of = attempt && whatIsOpen(order, attempt)
  if (!attempt || !of) return null
  const { reference, amount_cents: cents, created_at: asked } = attempt
  const begun =
    of === 'capture'
      ? (await orderEventsOf(db, order.id)).findLast(({ to_state: state }) => state === 'capturing')?.at
      : undefined
  return { of, reference, cents, since: fromDate(begun ?? asked), may: answersTo(of, attempt) }
}

function whatIsOpen({ state }: Order, attempt: Attempt): 'payment' | 'capture' | null {
  if (isPaymentOpen(state) && isAttemptOpen(attempt.state)) return 'payment'
  return state === 'capturing' && attempt.state === 'capturing' ? 'capture' : null
}

const answersTo = (of: 'payment' | 'capture', attempt: Attempt): SettledAs[] =>
  of === 'payment' && isBeingGivenUp(attempt) ? ['not_paid'] : ['paid', 'not_paid']

type Settlement = { order: Order; reference: string; said: SettledAs; pspReference: string }

const byHand = 'settled by hand'

/**
 * Records the outcome that a staff member saw at the gateway, with the same transitions as the gateway's own report.
 * Returns false when the payment has an outcome by now, or a different one is open.
 */
export async function settlePayment(
  trx: Trx,
  deps: OrderDeps,
  { order, reference, said, pspReference }: Settlement,
): Promise<boolean> {
  const newest = await latestAttempt(trx, order.id)
  if (newest?.reference !== reference) return false
  const attempt = await lockAttempt(trx, newest.id)
  const of = whatIsOpen(order, attempt)
  if (!of || !answersTo(of, attempt).includes(said)) return false
  const isDone = await (of === 'capture'
    ? settleCapture(trx, deps, { order, attempt, said, pspReference })
    : settleAuthorisation(trx, deps, { order, attempt, said, pspReference }))
  if (isDone) await deps.jobs.send(trx, orderRetries, order.id)
  return isDone
}

type Locked = Omit<Settlement, 'reference'> & { attempt: Attempt }

async function settleAuthorisation(
  trx: Trx,
  deps: OrderDeps,
  { attempt, said, pspReference }: Locked,
): Promise<boolean> {
  const after = await recordOutcome(
    trx,
    deps,
    attempt,
    said === 'paid'
      ? { outcome: 'authorised', pspReference, card: noDetails }
      : { outcome: 'refused', pspReference, reason: byHand },
  )
  return !isPaymentOpen(after.state)
}

async function settleCapture(
  trx: Trx,
  deps: OrderDeps,
  { order, attempt, said, pspReference }: Locked,
): Promise<boolean> {
  // The reserved money is released when the order is reversed.
  if (said === 'not_paid') return (await moveOrder(trx, order, 'fail', { failure_code: `capture ${byHand}` })) !== null
  const captured = await moveAttempt(trx, attempt, 'captured', { capture_psp_reference: pspReference })
  if (!captured) return false
  await expectOutcome(trx, deps, captureOf(captured, pspReference))
  return (await kinds[order.kind].deliver(trx, deps, order, 'captured')) !== null
}
