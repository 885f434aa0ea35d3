import { type Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { ModificationOutcome } from '#providers/card/card.port.ts'
import type { NetworkOrder } from '#providers/network/network.port.ts'
import { filterKnownOperations } from '#features/orders/server/operations.store.ts'
import { listOrderPrefixes } from '#features/orders/server/order-prefixes.store.ts'
import { parseOperationId, parseOrderCode, parsePaymentReference } from '#features/orders/server/references.present.ts'
import { findPaymentByPspReference, filterKnownPayments } from '#features/orders/server/payments.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

/*
 * Undoes operations that exist only at the providers. Repeating a command reuses the same idempotency key at the
 * gateway, or the same order ID at the network, so it is idempotent for as long as the provider remembers the key or
 * ID.
 */

export type ReversalResult = { outcome: 'done' | 'under_way' } | { outcome: 'impossible' | 'unknown'; why: string }

type LostPayment = { pspReference: string; reference: string }

export const refundLostPayment = (
  deps: ReconciliationDeps,
  { amount, ...payment }: LostPayment & { amount: number },
  actor: Actor,
): Promise<ReversalResult> =>
  reversePayment(deps, payment, {
    actor,
    details: { amount },
    ask: () =>
      deps.card.refund({
        originalReference: payment.pspReference,
        reference: `${payment.reference}-lost`,
        idempotencyKey: `lost-refund-${payment.pspReference}-${amount}`,
        amount,
        currency: deps.market.currency,
      }),
  })

export const cancelLostPayment = (
  deps: ReconciliationDeps,
  payment: LostPayment,
  actor: Actor,
): Promise<ReversalResult> =>
  reversePayment(deps, payment, {
    actor,
    details: {},
    ask: () =>
      deps.card.cancel({
        originalReference: payment.pspReference,
        reference: `${payment.reference}-lost`,
        idempotencyKey: `lost-cancel-${payment.pspReference}`,
      }),
  })

async function reversePayment(
  { db, clock, orderPrefix }: ReconciliationDeps,
  { reference, pspReference }: LostPayment,
  reversal: { actor: Actor; details: Record<string, number>; ask(): Promise<ModificationOutcome> },
): Promise<ReversalResult> {
  if (parsePaymentReference(reference, await listOrderPrefixes(db)) !== reference)
    return createImpossibleResult(`Our payments have references such as ${orderPrefix}0123456789-1.`)
  if ((await filterKnownPayments(db, [reference])).has(reference))
    return createImpossibleResult(
      `This payment is in our tables, so it is not lost. To see it: operator orders show ${parseOrderCode(reference)}`,
    )
  const knownReference = await findPaymentByPspReference(db, pspReference)
  if (knownReference)
    return createImpossibleResult(
      `${pspReference} belongs to ${knownReference}, which is in our tables. To see it: ` +
        `operator orders show ${parseOrderCode(knownReference)}`,
    )
  // Write the audit entry before the gateway request, which may take effect even if no response arrives.
  const details = { reference, psp_reference: pspReference, ...reversal.details }
  await audit(db, clock, { event: 'lost_payment_undo_requested', actor: reversal.actor, details })
  const gatewayResult = await reversal.ask()
  if (gatewayResult.outcome === 'unknown') return { outcome: 'unknown', why: gatewayResult.why }
  if (gatewayResult.outcome === 'refused')
    return createImpossibleResult(
      `The gateway refused the request: ${gatewayResult.code} ${gatewayResult.message}`.trim(),
    )
  return { outcome: 'done' }
}

const createImpossibleResult = (why: string): ReversalResult => ({ outcome: 'impossible', why })

type LostOperationDetails = { externalId: string; iccid: string; msisdn: string }

/** Removes an operation that exists only at the network. `line` must match the network's order. */
export async function removeLostOperation(
  { db, clock, network, orderPrefix }: ReconciliationDeps,
  { externalId, ...line }: LostOperationDetails,
  actor: Actor,
): Promise<ReversalResult> {
  const removalOrder = createRemovalOrder(parseOperationId(externalId, await listOrderPrefixes(db)), {
    externalId,
    ...line,
  })
  if (!removalOrder)
    return createImpossibleResult(
      `An operation that can be removed has an ID such as ${orderPrefix}0123456789-sim-1, -plan-1 or -addon-1.`,
    )
  if ((await filterKnownOperations(db, [externalId])).has(externalId))
    return createImpossibleResult(
      `This operation is in our tables, so it is not lost. To see it: operator orders show ${parseOrderCode(externalId)}`,
    )
  const networkOrder = await network.read(externalId, line)
  if (networkOrder.outcome === 'absent') return createImpossibleResult('The network has no order with this ID.')
  if (networkOrder.outcome === 'rejected')
    return createImpossibleResult(`The network refused the request: ${networkOrder.code}`)
  if (networkOrder.outcome === 'unknown') return { outcome: 'unknown', why: networkOrder.why }
  if (networkOrder.state !== 'completed')
    return createImpossibleResult(
      networkOrder.state === 'running'
        ? 'The network has not finished this order yet. Try again later.'
        : `The network’s order is ${networkOrder.state}: there is nothing to remove.`,
    )
  const networkResult = await network.place(removalOrder)
  if (networkResult.outcome === 'unknown') return { outcome: 'unknown', why: networkResult.why }
  const fault = networkResult.outcome === 'rejected' ? networkResult : networkResult.fault
  if (fault && fault.meaning !== 'nothing_there')
    return createImpossibleResult(`The network refused the request: ${fault.code} ${fault.message}`)
  await audit(db, clock, { event: 'lost_operation_removed', actor, details: { operation: externalId } })
  return { outcome: networkResult.outcome === 'known' && networkResult.state === 'running' ? 'under_way' : 'done' }
}

/**
 * Creates the network order that removes a lost order's operation, with the ID that the application would have used first.
 */
function createRemovalOrder(
  parsedId: ReturnType<typeof parseOperationId>,
  { externalId, ...line }: LostOperationDetails,
): NetworkOrder | null {
  const { orderCode, kind } = parsedId ?? {}
  switch (kind) {
    case 'activate_sim':
      return { externalId: `${orderCode}-undo-1`, kind: 'deactivate_sim', ...line }
    case 'add_plan':
      return { externalId: `${orderCode}-unplan-1`, kind: 'remove_plan', ...line, addedBy: externalId }
    case 'add_addon':
      return { externalId: `${orderCode}-unaddon-1`, kind: 'remove_addon', ...line, addedBy: externalId }
    default:
      return null
  }
}
