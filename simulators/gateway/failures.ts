import { randomUUID } from 'node:crypto'
import type { Gateway } from './gateway.ts'
import type { OperationName, QueuedFailure } from './state.ts'

export function queueFailure(gateway: Gateway, failure: QueuedFailure): void {
  gateway.commit([{ table: 'failures', key: randomUUID(), row: failure }])
}

export function clearFailures(gateway: Gateway): void {
  gateway.commit([...gateway.store.table('failures')].map(([key]) => ({ table: 'failures', key, row: null })))
}

export function takeFailure(gateway: Gateway, operation: OperationName, body: unknown): QueuedFailure | null {
  const references = collectReferences(gateway, body)
  const matchesReference = (failure: QueuedFailure) => failure.reference === null || references.has(failure.reference)
  const failures = gateway.store.table('failures').entries()
  const found = failures.find(([, failure]) => failure.operation === operation && matchesReference(failure))
  if (!found) return null
  const [key, failure] = found
  const remainingFailure = failure.times > 1 ? { ...failure, times: failure.times - 1 } : null
  gateway.commit([{ table: 'failures', key, row: remainingFailure }])
  return failure
}

function collectReferences(gateway: Gateway, body: unknown): Set<unknown> {
  const { reference, originalMerchantReference, originalReference } = (body ?? {}) as Record<string, unknown>
  const payment =
    typeof originalReference === 'string' ? gateway.store.table('payments').get(originalReference) : undefined
  return new Set([reference, originalMerchantReference, payment?.reference])
}
