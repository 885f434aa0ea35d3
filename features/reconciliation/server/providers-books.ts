import { fromDate, realNow } from '#kit/server/clock.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { Operation } from '#features/orders/server/operations.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import { unconfirmedCapture } from '#features/orders/server/unconfirmed-calls.present.ts'
import { isWaitedFor } from '#features/orders/server/unconfirmed-calls.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

type Told = { faults: string[]; silent: string[] }

export async function compareOperation(deps: ReconciliationDeps, order: Order, operation: Operation): Promise<Told> {
  // A worker is still processing the operation.
  if (operation.state === 'initiated' && !isOver(order.state)) return { faults: [], silent: [] }
  const answer = await deps.network.read(operation.external_id)
  if (answer.outcome === 'unknown') return { faults: [], silent: [`${operation.external_id}: ${answer.why}`] }
  const fault = disagreement(operation, answer.outcome === 'known' ? answer.state : 'absent')
  return { faults: fault ? [`${operation.external_id} ${fault}`] : [], silent: [] }
}

type Theirs = (NetworkAnswer & { outcome: 'known' })['state'] | 'absent'

function disagreement({ state, fault }: Operation, theirs: Theirs): string | null {
  switch (state) {
    case 'completed':
      // The operation removed something that no longer existed. The network then has a failed order or none.
      return theirs === 'completed' || fault !== null ? null : `is completed here and ${theirs} at the network`
    case 'failed':
    case 'rejected':
      return theirs === 'completed' || theirs === 'running' ? `is ${state} here and ${theirs} at the network` : null
    case 'initiated':
      return `has no end here and is ${theirs} at the network`
  }
}

// The gateway keeps an idempotency key for a month; a later repeat would be a second capture.
const daysToAskAgain = 7
/** The maximum delay of a notification that is not lost. */
const hoursToBeTold = 24

/** Repeats an unconfirmed capture under its idempotency key, so that the gateway returns its original response. */
export async function compareCapture(deps: ReconciliationDeps, attempt: Attempt): Promise<Told> {
  if (attempt.state !== 'captured' || attempt.captured_at || attempt.capture_failed_at)
    return { faults: [], silent: [] }
  const age = realNow().since(fromDate(attempt.created_at)).total('hours')
  if (age < hoursToBeTold) return { faults: [], silent: [] }
  const unconfirmed = unconfirmedCapture(attempt.reference)
  // A worker is polling already, and has reported the same sentence by now.
  if (await isWaitedFor(deps.db, attempt.reference)) return { faults: [unconfirmed], silent: [] }
  if (age > daysToAskAgain * 24) return { faults: [unconfirmed], silent: [] }
  const answer = await deps.card.capture({
    originalReference: attempt.psp_reference ?? '',
    reference: attempt.reference,
    idempotencyKey: `${attempt.idempotency_key}-c`,
    amount: attempt.amount_cents,
    currency: attempt.currency,
  })
  switch (answer.outcome) {
    case 'received':
      return { faults: [unconfirmed], silent: [] }
    case 'refused':
      return {
        faults: [`${attempt.reference} is captured here, and the gateway refuses it: ${answer.code}`],
        silent: [],
      }
    case 'unknown':
      return { faults: [], silent: [`${attempt.reference}: ${answer.why}`] }
  }
}
