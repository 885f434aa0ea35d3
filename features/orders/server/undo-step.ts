import { transact } from '#kit/server/db.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { KnownOrder } from '#providers/network/network.port.ts'
import { deleteUser, findAccountCreatedByOrder } from '#features/auth/server/users.store.ts'
import { isMoneyReserved } from '../payment-attempts.states.ts'
import { reportAlreadyActiveSim } from './report-already-active-sim.ts'
import { reportFailedActivations } from './failed-activations.ts'
import { releaseReservations } from './release-reservations.ts'
import { orderTypes } from './order-types.ts'
import { reportFailedCancel } from './modification-outcomes.ts'
import { maxAttempts, initiateRetry, resolveOperation } from './network-steps.ts'
import {
  transitionOperation,
  initiateOperation,
  type Operation,
  type OperationKind,
  listOrderOperations,
} from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { hasOtherOrders, transitionOrder, type Order } from './orders.store.ts'
import { findLatestAttempt, lockAttempt, transitionAttempt, refundRequiredSubject } from './payments.store.ts'
import { cancelledByOperatorCode } from '../orders.states.ts'
import type { StepResult } from './step-result.ts'
import { sendOrderCancelledMail } from './order-cancelled.mail.ts'
import { createCancelRequest, recordUnconfirmedRequest } from './unconfirmed-requests.store.ts'

export async function runUndoStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const operations = await listOrderOperations(deps.db, order.id)
  const openOperation = operations.find((operation) => operation.state === 'initiated')
  if (openOperation) return resolveOpenOperation(deps, order, openOperation)
  const removalToInitiate = findDueRemoval(order, operations)
  if (removalToInitiate) {
    await transact(deps.db, (trx) => initiateOperation(trx, order, removalToInitiate))
    return 'again'
  }
  const attempt = await findLatestAttempt(deps.db, order.id)
  if (attempt && isMoneyReserved(attempt.state)) {
    const cancelResult = await deps.card.cancel({
      originalReference: attempt.psp_reference ?? '',
      reference: `${attempt.reference}-cancel`,
      idempotencyKey: `${attempt.idempotency_key}-x`,
    })
    if (cancelResult.outcome === 'unknown') return 'wait'
    await transact(deps.db, async (trx) => {
      if (cancelResult.outcome === 'refused') {
        const lockedPayment = await lockAttempt(trx, attempt.id)
        const reason = `authorisation ${attempt.reference} could not be cancelled: ${cancelResult.code}`
        await reportFailedCancel(trx, lockedPayment, reason)
      }
      const cancelledAttempt = await transitionAttempt(trx, attempt, 'cancelled', { cancelled_at: toDate(realNow()) })
      if (cancelledAttempt && cancelResult.outcome === 'received')
        await recordUnconfirmedRequest(trx, deps, createCancelRequest(cancelledAttempt, cancelResult.pspReference))
    })
    return 'again'
  }
  if (attempt?.state === 'captured')
    await createTask(deps.db, {
      kind: 'payment',
      orderId: order.id,
      subject: refundRequiredSubject,
      reason: `payment ${attempt.reference} was taken for an order that was reversed: refund it`,
    })
  const undoneOrder = await transact(deps.db, async (trx) => {
    // If the network did not release the SIM, it stays reserved, and a task tells the operator about it.
    const isStuck = operations.some(
      (operation) => operation.kind === 'deactivate_sim' && operation.state !== 'completed',
    )
    await releaseReservations(trx, deps, order, { isStuck })
    const createdAccountId = await findAccountCreatedByOrder(trx, order.id)
    if (createdAccountId && !(await hasOtherOrders(trx, createdAccountId, order.id)))
      await deleteUser(trx, createdAccountId)
    const reversedOrder = await transitionOrder(trx, order, 'undone')
    // If an automatic renewal was cancelled, a different email is sent.
    if (reversedOrder?.failure_code === cancelledByOperatorCode && !reversedOrder.auto_renewal)
      await sendOrderCancelledMail(trx, deps, reversedOrder)
    return reversedOrder
  })
  if (undoneOrder) await reportFailedActivations(deps, undoneOrder, operations)
  return undoneOrder ?? 'stop'
}

const isRemoval = ({ kind }: Operation): boolean =>
  Object.values(orderTypes).some(({ operation }) => operation.undoes === kind)

function findDueRemoval({ kind }: Order, operations: Operation[]): OperationKind | null {
  const { does, undoes } = orderTypes[kind].operation
  const isDelivered = operations.some((operation) => operation.kind === does && operation.state === 'completed')
  return isDelivered && !operations.some((operation) => operation.kind === undoes) ? undoes : null
}

const operationLabels: Partial<Record<OperationKind, string>> = {
  deactivate_sim: 'deactivate the SIM',
  remove_plan: 'remove the plan',
  remove_addon: 'remove the add-on',
}

/**
 * Resolves an open operation before the order is reversed any further. Only its outcome shows what needs to be removed, or
 * whether the removal worked.
 */
export async function resolveOpenOperation(deps: OrderDeps, order: Order, operation: Operation): Promise<StepResult> {
  const response = await resolveOperation(deps, order, operation)
  if (response.outcome === 'unknown' || (response.outcome === 'known' && response.state === 'running')) return 'wait'
  if (response.outcome === 'known' && response.state === 'completed') {
    await transact(deps.db, (trx) => transitionOperation(trx, operation, 'completed'))
    return 'again'
  }
  const fault: Pick<NonNullable<KnownOrder['fault']>, 'code' | 'retryable' | 'meaning'> = response.outcome ===
  'rejected'
    ? { ...response, retryable: false }
    : (response.fault ?? { code: 'unknown', retryable: false })
  // The number is inactive or does not have the plan or add-on, so there is nothing left to remove.
  if (isRemoval(operation) && fault.meaning === 'nothing_there') {
    await transact(deps.db, (trx) => transitionOperation(trx, operation, 'completed', fault.code))
    return 'again'
  }
  const willRetry = isRemoval(operation) && fault.retryable && operation.attempt < maxAttempts
  await transact(deps.db, async (trx) => {
    const updatedOperation = await transitionOperation(
      trx,
      operation,
      response.outcome === 'rejected' ? 'rejected' : 'failed',
      fault.code,
    )
    if (updatedOperation) await reportAlreadyActiveSim(trx, order, operation, fault)
    if (updatedOperation && willRetry) await initiateRetry(trx, order, operation.kind)
    else if (updatedOperation && isRemoval(operation))
      await createTask(trx, {
        kind: 'network',
        orderId: order.id,
        reason: `the network would not ${operationLabels[operation.kind] ?? 'reverse the operation'}: ${fault.code}`,
      })
  })
  return willRetry ? 'stop' : 'again'
}
