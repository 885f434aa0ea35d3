import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { NetworkAnswer, NetworkOrder, LineIdentifiers } from '#providers/network/network.port.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { reportUnusableResponse } from '#features/operator-tasks/server/unusable-responses.store.ts'
import {
  transitionOperation,
  initiateOperation,
  lockOpenOperation,
  type Operation,
  type OperationKind,
  listOrderOperations,
  recordOperationAcknowledged,
} from './operations.store.ts'
import { reportAlreadyActiveSim } from './report-already-active-sim.ts'
import { getOperationForState } from './initiate-next-operation.ts'
import { orderTypes } from './order-types.ts'
import type { OrderDeps } from './orders.deps.ts'
import { transitionOrder, type Order, scheduleOrderRetry } from './orders.store.ts'
import type { StepResult } from './step-result.ts'

const retryHours = 24

export const maxAttempts = 3

const retryPauseSeconds = 1

export async function initiateRetry(trx: Trx, order: Order, kind: OperationKind): Promise<void> {
  await initiateOperation(trx, order, kind)
  await scheduleOrderRetry(trx, order, retryPauseSeconds, { tries: 0 })
}

export async function runNetworkStep(
  deps: OrderDeps,
  order: Order,
  onCompleted: (trx: Trx) => Promise<Order | null>,
): Promise<StepResult> {
  const kind = getOperationForState(order.state)
  const allOperations = await listOrderOperations(deps.db, order.id)
  const operation = allOperations.find((sibling) => sibling.kind === kind && sibling.state === 'initiated')
  if (!operation) throw new Error(`order ${order.order_code} is ${order.state} without an open ${kind}`)
  const response = await resolveOperation(deps, order, operation, allOperations)
  const isFirstAcknowledgement = response.outcome === 'known' && !operation.acknowledged_at
  if (response.outcome === 'unknown' || (response.outcome === 'known' && response.state === 'running')) {
    if (isFirstAcknowledgement) await recordOperationAcknowledged(deps.db, operation)
    return 'wait'
  }
  return transact(deps.db, async (trx) => {
    if (isFirstAcknowledgement) await recordOperationAcknowledged(trx, operation)
    if (response.outcome === 'known' && response.state === 'completed') {
      await transitionOperation(trx, operation, 'completed')
      return (await onCompleted(trx)) ?? 'stop'
    }
    const { heldForRetry } = orderTypes[order.kind]
    const fault = response.outcome === 'rejected' ? { ...response, retryable: false } : response.fault
    const updatedOperation = await transitionOperation(
      trx,
      operation,
      response.outcome === 'rejected' ? 'rejected' : 'failed',
      fault?.code ?? null,
    )
    if (updatedOperation) await reportAlreadyActiveSim(trx, order, operation, fault)
    if (fault?.retryable && !heldForRetry && operation.attempt < maxAttempts) {
      // The customer has no retry button for this kind of order, so repeat the operation under a new id after a pause.
      if (updatedOperation) await initiateRetry(trx, order, kind)
      return 'stop'
    }
    if (!fault?.retryable || !heldForRetry)
      return (await transitionOrder(trx, order, 'fail', { failure_code: fault?.code ?? null })) ?? 'stop'
    const dueAt = toDate(deps.clock.now().add({ hours: retryHours }))
    await transitionOrder(trx, order, 'hold', { failure_code: fault.code, due_at: dueAt, retry_at: null })
    return 'stop'
  })
}

/**
 * Asks the network for an operation's outcome. If the network does not know the operation, sends it again under its existing id. A response
 * that contradicts itself or our order changes nothing and creates an operator task. `all` contains the order's operations, if the caller
 * has already read them.
 */
export async function resolveOperation(
  deps: OrderDeps,
  order: Order,
  operation: Operation,
  all?: Operation[],
): Promise<NetworkAnswer> {
  const answer = await queryOrPlaceOperation(deps, order, operation, all)
  const { external_id: externalId } = operation
  const isOpen = (trx: Trx): Promise<boolean> => lockOpenOperation(trx, externalId)
  if (answer.outcome === 'unknown')
    await reportUnusableResponse(deps.db, { externalId, orderId: order.id, what: 'order', isOpen }, answer)
  return answer.outcome === 'known' && answer.state === 'failed'
    ? confirmOperationFailure(deps, order, operation, answer)
    : answer
}

async function queryOrPlaceOperation(
  deps: OrderDeps,
  order: Order,
  operation: Operation,
  all?: Operation[],
): Promise<NetworkAnswer> {
  if (order.tries > 0) {
    const queryResponse = await deps.network.read(operation.external_id, toOrderLine(order))
    if (queryResponse.outcome !== 'absent') return queryResponse
  }
  return deps.network.place(toNetworkOrder(order, operation, all ?? (await listOrderOperations(deps.db, order.id))))
}

/** Reads a failed operation again. Acting on a wrong report would reverse the order, so the network must report the failure twice. */
async function confirmOperationFailure(
  { db, network }: OrderDeps,
  order: Order,
  operation: Operation,
  failedResponse: NetworkAnswer,
): Promise<NetworkAnswer> {
  const secondResponse = await network.read(operation.external_id, toOrderLine(order))
  if (secondResponse.outcome === 'absent' || (secondResponse.outcome === 'known' && secondResponse.state === 'failed'))
    return failedResponse
  if (secondResponse.outcome === 'known') await reportRevokedFailure(db, operation)
  return { outcome: 'unknown', why: 'the network said that it failed, and has not said so again' }
}

/** Creates a task that stays open until staff close it. A task with a subject would be closed once the operation has an outcome. */
const reportRevokedFailure = (db: Db, { order_id: orderId, external_id: externalId }: Operation): Promise<void> =>
  createTask(db, {
    kind: 'network',
    orderId,
    reason:
      `The network first reported that ${externalId} had failed, and later that it had not, so the order continues. ` +
      'Check with the carrier that the order was carried out exactly once',
  })

const toOrderLine = ({ iccid, msisdn }: Order): LineIdentifiers => ({ iccid, msisdn })

function toNetworkOrder(order: Order, operation: Operation, all: Operation[]): NetworkOrder {
  const { iccid, msisdn } = order
  const externalId = operation.external_id
  const findCompletedOperationId = (kind: OperationKind): string =>
    all.find((one) => one.kind === kind && one.state === 'completed')?.external_id ?? ''
  switch (operation.kind) {
    case 'activate_sim':
    case 'deactivate_sim':
      return { externalId, kind: operation.kind, iccid, msisdn }
    case 'add_plan':
      return {
        externalId,
        kind: 'add_plan',
        iccid,
        msisdn,
        sku: order.product.sku ?? '',
        ...(order.starts_at && { startsAt: fromDate(order.starts_at).toString() }),
      }
    case 'add_addon':
      return { externalId, kind: 'add_addon', iccid, msisdn, sku: order.product.sku ?? '' }
    case 'remove_plan':
      return { externalId, kind: 'remove_plan', iccid, msisdn, addedBy: findCompletedOperationId('add_plan') }
    case 'remove_addon':
      return { externalId, kind: 'remove_addon', iccid, msisdn, addedBy: findCompletedOperationId('add_addon') }
  }
}
