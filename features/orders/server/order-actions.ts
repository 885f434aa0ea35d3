import { formatPrice } from '#kit/contract/money.ts'
import { type Actor, formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { retryNow } from '#kit/server/retry-queue.ts'
import { getNextState } from '#kit/contract/transitions.ts'
import { isMoneyReserved } from '../payment-attempts.states.ts'
import {
  cancelledByOperatorCode,
  isEndState,
  isPaymentOpen,
  type OrderState,
  orderTransitions,
} from '../orders.states.ts'
import { orderTypes } from './order-types.ts'
import { type Operation, listOrderOperations } from './operations.store.ts'
import { recordOrderEvent } from './order-events.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { retryOrder } from './orders.ts'
import { transitionOrder, type Order, orderQueue } from './orders.store.ts'
import { findLatestAttempt } from './payments.store.ts'

/** Why a staff action had no effect; `null` if it succeeded. */
type RejectionReason = string | null

const orderChangedMessage = 'This order has just changed. Refresh to see it.'

export function findReasonNotToRetry({ state, lease_until: leasedUntil }: Order): RejectionReason {
  if (isEndState(state)) return `This order is already ${state}.`
  return leasedUntil && leasedUntil > toDate(realNow()) ? 'This order is being processed right now.' : null
}

/** Retries an order on behalf of staff. Completed steps are never repeated. */
export async function retryOrderByOperator(deps: OrderDeps, order: Order, actor: Actor): Promise<RejectionReason> {
  const rejectionReason = findReasonNotToRetry(order)
  if (rejectionReason) return rejectionReason
  if (order.state === 'held') {
    if (!(await retryOrder(deps, order))) return orderChangedMessage
    await transact(deps.db, (trx) => recordAction(trx, deps, { order, actor, act: 'retry' }))
    return null
  }
  await transact(deps.db, async (trx) => {
    await retryNow(trx, orderQueue, { id: order.id })
    await deps.jobs.send(trx, orderQueue, order.id)
    await recordAction(trx, deps, { order, actor, act: 'retry' })
  })
  return null
}

export function findReasonNotToCancel(state: OrderState): RejectionReason {
  if (getNextState(orderTransitions, state, 'cancel')) return null
  if (state === 'completed' || state === 'finishing') return 'This order was delivered. You can refund it instead.'
  if (state === 'capturing')
    return 'The payment for this order is still being taken. You can refund it once the payment is complete.'
  if (isPaymentOpen(state))
    return 'The gateway hasn’t said yet whether this order is paid. If it never does, the order is cancelled automatically.'
  if (state === 'cancelling') return 'This order’s plan is already being cancelled on the network.'
  return state === 'undoing' ? 'This order is already being reversed.' : `This order is already ${state}.`
}

export async function cancelOrderByOperator(deps: OrderDeps, order: Order, actor: Actor): Promise<RejectionReason> {
  const rejectionReason = findReasonNotToCancel(order.state)
  if (rejectionReason) return rejectionReason
  return transact(deps.db, async (trx) => {
    if (!(await transitionOrder(trx, order, 'cancel', { failure_code: cancelledByOperatorCode })))
      return orderChangedMessage
    await deps.jobs.send(trx, orderQueue, order.id)
    await recordAction(trx, deps, { order, actor, act: 'cancel' })
    return null
  })
}

async function recordAction(
  trx: Trx,
  { clock }: OrderDeps,
  { order, actor, act }: { order: Order; actor: Actor; act: 'retry' | 'cancel' },
): Promise<void> {
  await recordOrderEvent(trx, {
    orderId: order.id,
    kind: 'act',
    name: act,
    from: order.state,
    actor: formatActor(actor),
  })
  await audit(trx, clock, {
    event: act === 'retry' ? 'order_retried' : 'order_canceled',
    userId: order.user_id,
    actor,
    details: { order: order.order_code, state: order.state },
  })
}

const removalSentences: Record<Order['kind'], string> = {
  activation: 'the SIM is deactivated on the network',
  recharge: 'the plan is removed from the network',
  addon: 'the add-on is removed from the network',
}

export async function describeReversals(db: Db, order: Order): Promise<string[]> {
  const attempt = await findLatestAttempt(db, order.id)
  const operations = await listOrderOperations(db, order.id)
  const { does } = orderTypes[order.kind].operation
  const hasOperationInState = (state: Operation['state']) =>
    operations.some((each) => each.kind === does && each.state === state)
  return [
    ...(hasOperationInState('completed') ? [removalSentences[order.kind]] : []),
    ...(hasOperationInState('initiated')
      ? [`${removalSentences[order.kind]}, if the network has already carried out the order`]
      : []),
    ...(attempt && isMoneyReserved(attempt.state)
      ? [`${formatPrice(attempt.amount_cents)} ${attempt.currency} reserved on the card is released`]
      : []),
    ...(order.voucher_id ? ['the voucher can be used again'] : []),
    ...(order.kind === 'activation' ? ['the SIM pack can be activated again'] : []),
  ]
}
