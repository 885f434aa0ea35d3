import { fromDate, realNow } from '#kit/server/clock.ts'
import type { NetworkAnswer } from '#providers/network/network.port.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import type { Operation } from '#features/orders/server/operations.store.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import { describeUnconfirmedCapture } from '#features/orders/server/unconfirmed-requests.present.ts'
import { isCaptureUnconfirmed } from '#features/orders/server/unconfirmed-requests.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

type ComparisonResult = { faults: string[]; silent: string[] }

export async function compareOperation(
  deps: ReconciliationDeps,
  order: Order,
  operation: Operation,
): Promise<ComparisonResult> {
  // A worker is still processing the operation, so there is nothing to compare yet.
  if (operation.state === 'initiated' && !isEndState(order.state)) return { faults: [], silent: [] }
  const response = await deps.network.read(operation.external_id)
  if (response.outcome === 'unknown') return { faults: [], silent: [`${operation.external_id}: ${response.why}`] }
  const fault = describeDisagreement(operation, response.outcome === 'known' ? response.state : 'absent')
  return { faults: fault ? [`${operation.external_id} ${fault}`] : [], silent: [] }
}

type NetworkState = (NetworkAnswer & { outcome: 'known' })['state'] | 'absent'

function describeDisagreement({ state, fault }: Operation, networkState: NetworkState): string | null {
  switch (state) {
    case 'completed':
      /*
       * If a completed operation has a fault code, there was nothing to change. The network then has a failed order or
       * no order at all.
       */
      return networkState === 'completed' || fault !== null
        ? null
        : `is completed here and ${networkState} at the network`
    case 'failed':
    case 'rejected':
      return networkState === 'completed' || networkState === 'running'
        ? `is ${state} here and ${networkState} at the network`
        : null
    case 'initiated':
      return `has no end here and is ${networkState} at the network`
  }
}

// The gateway remembers an idempotency key for a month. Repeating a capture after that would take the money twice.
const maxCaptureRepeatDays = 7
/** After this many hours, a missing notification counts as lost. */
const maxNotificationDelayHours = 24

/**
 * Repeats an unconfirmed capture with its original idempotency key, so that the gateway returns its original response.
 */
export async function compareCapture(deps: ReconciliationDeps, attempt: Attempt): Promise<ComparisonResult> {
  if (attempt.state !== 'captured' || attempt.captured_at || attempt.capture_failed_at)
    return { faults: [], silent: [] }
  const age = realNow().since(fromDate(attempt.created_at)).total('hours')
  if (age < maxNotificationDelayHours) return { faults: [], silent: [] }
  const unconfirmedMessage = describeUnconfirmedCapture(attempt.reference)
  // A worker is already polling for this capture, and reports it with the same text.
  if (await isCaptureUnconfirmed(deps.db, attempt.reference)) return { faults: [unconfirmedMessage], silent: [] }
  if (age > maxCaptureRepeatDays * 24) return { faults: [unconfirmedMessage], silent: [] }
  const response = await deps.card.capture({
    originalReference: attempt.psp_reference ?? '',
    reference: attempt.reference,
    idempotencyKey: `${attempt.idempotency_key}-c`,
    amount: attempt.amount_cents,
    currency: attempt.currency,
  })
  switch (response.outcome) {
    case 'received':
      return { faults: [unconfirmedMessage], silent: [] }
    case 'refused':
      return {
        faults: [
          `${attempt.reference} is captured in our records, but the gateway refuses the capture: ${response.code}`,
        ],
        silent: [],
      }
    case 'unknown':
      return { faults: [], silent: [`${attempt.reference}: ${response.why}`] }
  }
}
