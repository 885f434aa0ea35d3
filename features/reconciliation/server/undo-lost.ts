import { type Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { ModificationOutcome } from '#providers/card/card.port.ts'
import type { NetworkOrder } from '#providers/network/network.port.ts'
import { knownOperations } from '#features/orders/server/operations.store.ts'
import { operationIn, orderCodeIn, paymentReferenceIn } from '#features/orders/server/own-references.present.ts'
import { findPaymentOfPsp, knownPayments } from '#features/orders/server/payments.store.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

// Undoes operations that exist only at the providers. A repeated command uses the same idempotency key at the gateway,
// or the same id at the network. The command is therefore idempotent for as long as the provider remembers it.

export type Undone = { outcome: 'done' | 'under_way' } | { outcome: 'impossible' | 'unknown'; why: string }

type LostPayment = { pspReference: string; reference: string }

export const refundLostPayment = (
  deps: ReconciliationDeps,
  { amount, ...payment }: LostPayment & { amount: number },
  actor: Actor,
): Promise<Undone> =>
  undoPayment(deps, payment, {
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

export const cancelLostPayment = (deps: ReconciliationDeps, payment: LostPayment, actor: Actor): Promise<Undone> =>
  undoPayment(deps, payment, {
    actor,
    details: {},
    ask: () =>
      deps.card.cancel({
        originalReference: payment.pspReference,
        reference: `${payment.reference}-lost`,
        idempotencyKey: `lost-cancel-${payment.pspReference}`,
      }),
  })

async function undoPayment(
  { db, clock }: ReconciliationDeps,
  { reference, pspReference }: LostPayment,
  act: { actor: Actor; details: Record<string, number>; ask(): Promise<ModificationOutcome> },
): Promise<Undone> {
  if (paymentReferenceIn(reference) !== reference)
    return impossible('A payment of ours has a reference such as FT0123456789-1.')
  if ((await knownPayments(db, [reference])).has(reference))
    return impossible(`This payment is in our tables: npm run operator -- orders show ${orderCodeIn(reference)}`)
  const ours = await findPaymentOfPsp(db, pspReference)
  if (ours)
    return impossible(
      `${pspReference} belongs to ${ours}, which is in our tables: npm run operator -- orders show ${orderCodeIn(ours)}`,
    )
  // Audited before the call, which may take effect even without a response.
  const details = { reference, psp_reference: pspReference, ...act.details }
  await audit(db, clock, { event: 'lost_payment_undo_requested', actor: act.actor, details })
  const answer = await act.ask()
  if (answer.outcome === 'unknown') return { outcome: 'unknown', why: answer.why }
  if (answer.outcome === 'refused') return impossible(`The gateway refused: ${answer.code} ${answer.message}`.trim())
  return { outcome: 'done' }
}

const impossible = (why: string): Undone => ({ outcome: 'impossible', why })

type LostLine = { externalId: string; iccid: string; msisdn: string }

/** `line` must match the network's order. */
export async function removeLostOperation(
  { db, clock, network }: ReconciliationDeps,
  { externalId, ...line }: LostLine,
  actor: Actor,
): Promise<Undone> {
  const removal = removalOf(externalId, line)
  if (!removal)
    return impossible('An operation that can be removed has an ID such as FT0123456789-sim-1, -plan-1 or -addon-1.')
  if ((await knownOperations(db, [externalId])).has(externalId))
    return impossible(`This operation is in our tables: npm run operator -- orders show ${orderCodeIn(externalId)}`)
  const there = await network.read(externalId, line)
  if (there.outcome === 'absent') return impossible('The network has no order with this id.')
  if (there.outcome === 'rejected') return impossible(`The network refused: ${there.code}`)
  if (there.outcome === 'unknown') return { outcome: 'unknown', why: there.why }
  if (there.state !== 'completed')
    return impossible(
      there.state === 'running'
        ? 'The network has not finished this order yet. Try again later.'
        : `The network’s order is ${there.state}: there is nothing to remove.`,
    )
  const answer = await network.place(removal)
  if (answer.outcome === 'unknown') return { outcome: 'unknown', why: answer.why }
  const fault = answer.outcome === 'rejected' ? answer : answer.fault
  if (fault && fault.meaning !== 'nothing_there')
    return impossible(`The network refused: ${fault.code} ${fault.message}`)
  await audit(db, clock, { event: 'lost_operation_removed', actor, details: { operation: externalId } })
  return { outcome: answer.outcome === 'known' && answer.state === 'running' ? 'under_way' : 'done' }
}

/** Uses the id that the product itself would give to the first removal of that order. */
function removalOf(externalId: string, line: Omit<LostLine, 'externalId'>): NetworkOrder | null {
  const { orderCode, kind } = operationIn(externalId) ?? {}
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
