import { type Actor, nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { noteOrderEvent } from '#features/orders/server/order-events.store.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { latestAttempt, lockAttempt } from '#features/orders/server/payments.store.ts'
import { type DisputeOutcome, isDisputeOpen } from '../disputes.states.ts'
import { endDisputeTasks } from './dispute-tasks.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { closeDispute, type Dispute, findDisputeByReference } from './disputes.store.ts'

/** What a person says came of a dispute. */
type Closing = { reference: string; outcome: DisputeOutcome; note: string | null; actor: Actor }

/**
 * Ends a dispute of which the gateway tells nothing more, as of a request for information that has expired: it stands in the way of
 * refunds and of an erasure no longer. Should the gateway go on with it, it is open again.
 */
export async function closeByOperator(
  { db, clock }: DisputeDeps,
  { reference, outcome, note, actor }: Closing,
): Promise<Dispute | { why: string }> {
  const found = await findDisputeByReference(db, reference)
  const attempt = found && (await latestAttempt(db, found.order_id))
  if (!attempt) return { why: 'There is no such dispute.' }
  return transact(db, async (trx) => {
    // Refunds and disputes of one payment take turns.
    await lockAttempt(trx, attempt.id)
    const dispute = await findDisputeByReference(trx, reference)
    if (!dispute) return { why: 'There is no such dispute.' }
    const why = whyNotClosed(dispute, outcome)
    if (why) return { why }
    const by = nameOf(actor) ?? ''
    const closed = await closeDispute(trx, dispute, { outcome, by, note })
    if (!closed) return { why: 'This dispute has just moved on: look at it again.' }
    await endDisputeTasks(trx, dispute)
    await noteOrderEvent(trx, {
      orderId: dispute.order_id,
      kind: 'act',
      name: 'close dispute',
      subject: reference,
      from: dispute.state,
      to: outcome,
      detail: note,
      actor: by,
    })
    const order = await findOrder(trx, dispute.order_id)
    await audit(trx, clock, {
      event: 'dispute_closed',
      userId: order?.user_id ?? null,
      actor,
      details: { reference, outcome, order: order?.order_code ?? '' },
    })
    return closed
  })
}

function whyNotClosed({ state, outcome: closed }: Dispute, outcome: DisputeOutcome): string | null {
  if (closed) return `This dispute was closed as ${closed} already.`
  if (!isDisputeOpen(state)) return `This dispute is over: it is ${state}.`
  return outcome === 'nothing' && state !== 'announced'
    ? 'The bank has taken this money back: the dispute is won or lost.'
    : null
}
