import { transact } from '#kit/server/db.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { deleteUser, findAccountMadeBy } from '#features/auth/server/users.store.ts'
import { giveBack } from './give-back.ts'
import { settleOperation } from './network-steps.ts'
import { endOperation, intendOperation, type Operation, operationsOf } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { hasOtherOrders, moveOrder, type Order, reportToOperator } from './orders.store.ts'
import { latestAttempt, moveAttempt } from './payments.store.ts'
import type { StepResult } from './step.ts'

/**
 * Takes an order back, one thing at a time, until nothing is left of it: settle what the network may have done,
 * delete what it did, release the money, free SIM and voucher. Each call does the next thing that is due.
 */
export async function undoStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const operations = await operationsOf(deps.db, order.id)
  const open = operations.find((operation) => operation.state === 'sent')
  if (open) return settleUndone(deps, order, open)
  if (isActive(operations)) {
    await transact(deps.db, (trx) => intendOperation(trx, order, 'deactivate_sim'))
    return 'again'
  }
  const attempt = await latestAttempt(deps.db, order.id)
  if (attempt && (attempt.state === 'authorised' || attempt.state === 'capturing')) {
    const answer = await deps.card.cancel({
      originalReference: attempt.psp_reference ?? '',
      reference: `${attempt.reference}-cancel`,
      idempotencyKey: `${attempt.idempotency_key}-x`,
    })
    if (answer.outcome === 'unknown') return 'wait'
    if (answer.outcome === 'refused') await reportToOperator(deps.db, order.id, `authorisation ${attempt.reference} could not be cancelled: ${answer.code}`)
    await moveAttempt(deps.db, attempt, ['authorised', 'capturing'], { state: 'cancelled', cancelled_at: toDate(realNow()) })
    return 'again'
  }
  return transact(deps.db, async (trx) => {
    // A SIM that the network would not let go of stays claimed; it is on the operator's list.
    const stuck = operations.some((operation) => operation.kind === 'deactivate_sim' && operation.state !== 'completed')
    await giveBack(trx, order, { sim: !stuck })
    const account = await findAccountMadeBy(trx, order.id)
    if (account && !(await hasOtherOrders(trx, account, order.id))) await deleteUser(trx, account)
    return (await moveOrder(trx, order, 'undone')) ?? 'stop'
  })
}

/** Active at the network: activated, and nobody has tried to delete it yet. */
function isActive(operations: Operation[]): boolean {
  const activated = operations.some((operation) => operation.kind === 'activate_sim' && operation.state === 'completed')
  return activated && !operations.some((operation) => operation.kind === 'deactivate_sim')
}

// The network's word for a SIM that is not active: what we want is so already.
const nothingToDeactivate = 'SIM_NOT_ACTIVE'

async function settleUndone(deps: OrderDeps, order: Order, operation: Operation): Promise<StepResult> {
  const answer = await settleOperation(deps, order, operation)
  if (answer.outcome === 'unknown' || (answer.outcome === 'known' && answer.state === 'running')) return 'wait'
  if (answer.outcome === 'known' && answer.state === 'completed') {
    await endOperation(deps.db, operation, 'completed')
    return 'again'
  }
  const code = answer.outcome === 'rejected' ? answer.code : (answer.fault?.code ?? 'unknown')
  if (operation.kind === 'deactivate_sim' && code === nothingToDeactivate) {
    await endOperation(deps.db, operation, 'completed', code)
    return 'again'
  }
  await endOperation(deps.db, operation, answer.outcome === 'rejected' ? 'rejected' : 'failed', code)
  if (operation.kind === 'deactivate_sim') await reportToOperator(deps.db, order.id, `the network would not deactivate the SIM: ${code}`)
  return 'again'
}
