import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { NetworkAnswer, NetworkOrder, OrderLine } from '#providers/network/network.port.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { reportUnusableAnswer } from '#features/operator-tasks/server/unusable-answers.store.ts'
import {
  moveOperation,
  initiateOperation,
  lockOpenOperation,
  type Operation,
  type OperationKind,
  operationsOf,
  recordAcknowledged,
} from './operations.store.ts'
import { reportActiveSim } from './active-sims.ts'
import { operationAskedIn } from './initiate.ts'
import { kinds } from './kinds.ts'
import type { OrderDeps } from './orders.deps.ts'
import { moveOrder, type Order, retryOrderIn } from './orders.store.ts'
import type { StepResult } from './step.ts'

const retryHours = 24

export const mostAttempts = 3

const pauseSeconds = 1

export async function initiateAgain(trx: Trx, order: Order, kind: OperationKind): Promise<void> {
  await initiateOperation(trx, order, kind)
  await retryOrderIn(trx, order, pauseSeconds, { tries: 0 })
}

export async function networkStep(
  deps: OrderDeps,
  order: Order,
  onCompleted: (trx: Trx) => Promise<Order | null>,
): Promise<StepResult> {
  const kind = operationAskedIn(order.state)
  const all = await operationsOf(deps.db, order.id)
  const operation = all.find((one) => one.kind === kind && one.state === 'initiated')
  if (!operation) throw new Error(`order ${order.order_code} is ${order.state} without an open ${kind}`)
  const answer = await resolveOperation(deps, order, operation, all)
  const isNews = answer.outcome === 'known' && !operation.acknowledged_at
  if (answer.outcome === 'unknown' || (answer.outcome === 'known' && answer.state === 'running')) {
    if (isNews) await recordAcknowledged(deps.db, operation)
    return 'wait'
  }
  return transact(deps.db, async (trx) => {
    if (isNews) await recordAcknowledged(trx, operation)
    if (answer.outcome === 'known' && answer.state === 'completed') {
      await moveOperation(trx, operation, 'completed')
      return (await onCompleted(trx)) ?? 'stop'
    }
    const { heldForRetry } = kinds[order.kind]
    const fault = answer.outcome === 'rejected' ? { ...answer, retryable: false } : answer.fault
    const first = await moveOperation(
      trx,
      operation,
      answer.outcome === 'rejected' ? 'rejected' : 'failed',
      fault?.code ?? null,
    )
    if (first) await reportActiveSim(trx, order, operation, fault)
    if (fault?.retryable && !heldForRetry && operation.attempt < mostAttempts) {
      // The customer has no retry button for this kind of order. The operation is repeated after a pause, under a new
      // id.
      if (first) await initiateAgain(trx, order, kind)
      return 'stop'
    }
    if (!fault?.retryable || !heldForRetry)
      return (await moveOrder(trx, order, 'fail', { failure_code: fault?.code ?? null })) ?? 'stop'
    const dueAt = toDate(deps.clock.now().add({ hours: retryHours }))
    await moveOrder(trx, order, 'hold', { failure_code: fault.code, due_at: dueAt, retry_at: null })
    return 'stop'
  })
}

/**
 * An operation that the network has never seen is placed, with the same id as before. An answer that contradicts itself
 * or our order changes nothing and creates an operator task. `all` are the operations of the order, if the caller has
 * read them.
 */
export async function resolveOperation(
  deps: OrderDeps,
  order: Order,
  operation: Operation,
  all?: Operation[],
): Promise<NetworkAnswer> {
  const answer = await askForOperation(deps, order, operation, all)
  const { external_id: externalId } = operation
  const isOpen = (trx: Trx): Promise<boolean> => lockOpenOperation(trx, externalId)
  if (answer.outcome === 'unknown')
    await reportUnusableAnswer(deps.db, { externalId, orderId: order.id, what: 'order', isOpen }, answer)
  return answer.outcome === 'known' && answer.state === 'failed'
    ? confirmFailure(deps, order, operation, answer)
    : answer
}

async function askForOperation(
  deps: OrderDeps,
  order: Order,
  operation: Operation,
  all?: Operation[],
): Promise<NetworkAnswer> {
  if (order.tries > 0) {
    const known = await deps.network.read(operation.external_id, lineOf(order))
    if (known.outcome !== 'absent') return known
  }
  return deps.network.place(toNetworkOrder(order, operation, all ?? (await operationsOf(deps.db, order.id))))
}

/** A failed operation costs the customer nothing, so the network must report the failure twice before we act on it. */
async function confirmFailure(
  { db, network }: OrderDeps,
  order: Order,
  operation: Operation,
  failed: NetworkAnswer,
): Promise<NetworkAnswer> {
  const again = await network.read(operation.external_id, lineOf(order))
  if (again.outcome === 'absent' || (again.outcome === 'known' && again.state === 'failed')) return failed
  if (again.outcome === 'known') await reportRevokedFailure(db, operation)
  return { outcome: 'unknown', why: 'the network said that it failed, and has not said so again' }
}

/** The task has no subject, so it stays open when the operation ends. Tasks about unusable answers are closed then. */
const reportRevokedFailure = (db: Db, { order_id: orderId, external_id: externalId }: Operation): Promise<void> =>
  reportToOperator(db, {
    kind: 'network',
    orderId,
    reason:
      `The network first reported that ${externalId} had failed, and later that it had not, so the order continues. ` +
      'Check with the carrier that the customer has what they ordered, once',
  })

const lineOf = ({ iccid, msisdn }: Order): OrderLine => ({ iccid, msisdn })

function toNetworkOrder(order: Order, operation: Operation, all: Operation[]): NetworkOrder {
  const { iccid, msisdn } = order
  const externalId = operation.external_id
  const idOf = (kind: OperationKind): string =>
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
      return { externalId, kind: 'remove_plan', iccid, msisdn, addedBy: idOf('add_plan') }
    case 'remove_addon':
      return { externalId, kind: 'remove_addon', iccid, msisdn, addedBy: idOf('add_addon') }
  }
}
