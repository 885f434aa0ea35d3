import { transact } from '#kit/server/db.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { KnownOrder } from '#providers/network/network.port.ts'
import { deleteUser, findAccountMadeBy } from '#features/auth/server/users.store.ts'
import { isReserved } from '../payment-attempts.states.ts'
import { reportActiveSim } from './active-sims.ts'
import { reportFailedActivations } from './failed-activations.ts'
import { giveBack } from './give-back.ts'
import { kinds } from './kinds.ts'
import { reportFailedCancel } from './modification-outcomes.ts'
import { mostAttempts, initiateAgain, resolveOperation } from './network-steps.ts'
import {
  moveOperation,
  initiateOperation,
  type Operation,
  type OperationKind,
  operationsOf,
} from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { hasOtherOrders, moveOrder, type Order } from './orders.store.ts'
import { latestAttempt, lockAttempt, moveAttempt, takenForNothing } from './payments.store.ts'
import { byOperator } from '../orders.states.ts'
import type { StepResult } from './step.ts'
import { sendTakenBackMail } from './taken-back.mail.ts'
import { cancelOf, expectOutcome } from './unconfirmed-calls.store.ts'

export async function undoStep(deps: OrderDeps, order: Order): Promise<StepResult> {
  const operations = await operationsOf(deps.db, order.id)
  const open = operations.find((operation) => operation.state === 'initiated')
  if (open) return resolveOpenOperation(deps, order, open)
  const due = removalDue(order, operations)
  if (due) {
    await transact(deps.db, (trx) => initiateOperation(trx, order, due))
    return 'again'
  }
  const attempt = await latestAttempt(deps.db, order.id)
  if (attempt && isReserved(attempt.state)) {
    const answer = await deps.card.cancel({
      originalReference: attempt.psp_reference ?? '',
      reference: `${attempt.reference}-cancel`,
      idempotencyKey: `${attempt.idempotency_key}-x`,
    })
    if (answer.outcome === 'unknown') return 'wait'
    await transact(deps.db, async (trx) => {
      if (answer.outcome === 'refused') {
        const locked = await lockAttempt(trx, attempt.id)
        const reason = `authorisation ${attempt.reference} could not be cancelled: ${answer.code}`
        await reportFailedCancel(trx, locked, reason)
      }
      const cancelled = await moveAttempt(trx, attempt, 'cancelled', { cancelled_at: toDate(realNow()) })
      if (cancelled && answer.outcome === 'received')
        await expectOutcome(trx, deps, cancelOf(cancelled, answer.pspReference))
    })
    return 'again'
  }
  if (attempt?.state === 'captured')
    await reportToOperator(deps.db, {
      kind: 'payment',
      orderId: order.id,
      subject: takenForNothing,
      reason: `payment ${attempt.reference} was taken for an order that was reversed: refund it`,
    })
  const undone = await transact(deps.db, async (trx) => {
    // A SIM that the network did not release stays reserved, and the operator has a task about it.
    const isStuck = operations.some(
      (operation) => operation.kind === 'deactivate_sim' && operation.state !== 'completed',
    )
    await giveBack(trx, deps, order, { isStuck })
    const account = await findAccountMadeBy(trx, order.id)
    if (account && !(await hasOtherOrders(trx, account, order.id))) await deleteUser(trx, account)
    const moved = await moveOrder(trx, order, 'undone')
    // An automatic renewal has its own mail about a cancelled order.
    if (moved?.failure_code === byOperator && !moved.auto_renewal) await sendTakenBackMail(trx, deps, moved)
    return moved
  })
  if (undone) await reportFailedActivations(deps, undone, operations)
  return undone ?? 'stop'
}

const isRemoval = ({ kind }: Operation): boolean =>
  Object.values(kinds).some(({ operation }) => operation.undoes === kind)

function removalDue({ kind }: Order, operations: Operation[]): OperationKind | null {
  const { does, undoes } = kinds[kind].operation
  const isThere = operations.some((operation) => operation.kind === does && operation.state === 'completed')
  return isThere && !operations.some((operation) => operation.kind === undoes) ? undoes : null
}

const wordsOf: Partial<Record<OperationKind, string>> = {
  deactivate_sim: 'deactivate the SIM',
  remove_plan: 'remove the plan',
  remove_addon: 'remove the add-on',
}

/**
 * Resolves an open operation, because only its outcome tells what there is to remove, or whether the removal worked.
 */
export async function resolveOpenOperation(deps: OrderDeps, order: Order, operation: Operation): Promise<StepResult> {
  const answer = await resolveOperation(deps, order, operation)
  if (answer.outcome === 'unknown' || (answer.outcome === 'known' && answer.state === 'running')) return 'wait'
  if (answer.outcome === 'known' && answer.state === 'completed') {
    await transact(deps.db, (trx) => moveOperation(trx, operation, 'completed'))
    return 'again'
  }
  const fault: Pick<NonNullable<KnownOrder['fault']>, 'code' | 'retryable' | 'meaning'> = answer.outcome === 'rejected'
    ? { ...answer, retryable: false }
    : (answer.fault ?? { code: 'unknown', retryable: false })
  // The line is inactive or lacks the product, so there is nothing left to remove.
  if (isRemoval(operation) && fault.meaning === 'nothing_there') {
    await transact(deps.db, (trx) => moveOperation(trx, operation, 'completed', fault.code))
    return 'again'
  }
  const isAskedAgain = isRemoval(operation) && fault.retryable && operation.attempt < mostAttempts
  await transact(deps.db, async (trx) => {
    const first = await moveOperation(trx, operation, answer.outcome === 'rejected' ? 'rejected' : 'failed', fault.code)
    if (first) await reportActiveSim(trx, order, operation, fault)
    if (first && isAskedAgain) await initiateAgain(trx, order, operation.kind)
    else if (first && isRemoval(operation))
      await reportToOperator(trx, {
        kind: 'network',
        orderId: order.id,
        reason: `the network would not ${wordsOf[operation.kind] ?? 'reverse the operation'}: ${fault.code}`,
      })
  })
  return isAskedAgain ? 'stop' : 'again'
}
