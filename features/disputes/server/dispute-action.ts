import { type Actor, formatActor } from '#kit/server/actor.ts'
import { audit, type AuditEvent } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { recordOrderEvent } from '#features/orders/server/order-events.store.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { type Attempt, findLatestAttempt, lockAttempt } from '#features/orders/server/payments.store.ts'
import { closeDisputeTasks } from './dispute-tasks.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { type Dispute, findDisputeByReference } from './disputes.store.ts'

type DisputeAction = {
  event: AuditEvent
  /** The name of the order event that records this action. */
  name: string
  /** The action's result in a single word, for the order event and the audit trail. */
  to: string
  note: string | null
  rejectionReasonFor(dispute: Dispute): string | null
  /** Changes the dispute; returns `null` if the dispute has changed in the meantime. */
  change(trx: Trx, dispute: Dispute, by: string): Promise<Dispute | null>
  report?(trx: Trx, attempt: Attempt, dispute: Dispute): Promise<void>
}

export async function applyDisputeAction(
  { db, clock }: DisputeDeps,
  { reference, actor }: { reference: string; actor: Actor },
  action: DisputeAction,
): Promise<Dispute | { why: string }> {
  const foundDispute = await findDisputeByReference(db, reference)
  const disputedAttempt = foundDispute && (await findLatestAttempt(db, foundDispute.order_id))
  if (!disputedAttempt) return { why: 'There is no dispute with this reference.' }
  return transact(db, async (trx) => {
    // This lock serialises refunds and disputes on the same payment.
    const attempt = await lockAttempt(trx, disputedAttempt.id)
    const dispute = await findDisputeByReference(trx, reference)
    if (!dispute) return { why: 'There is no dispute with this reference.' }
    const rejectionReason = action.rejectionReasonFor(dispute)
    if (rejectionReason) return { why: rejectionReason }
    const actorLabel = formatActor(actor) ?? ''
    const changedDispute = await action.change(trx, dispute, actorLabel)
    if (!changedDispute) return { why: 'This dispute has just changed. Refresh to see it.' }
    await closeDisputeTasks(trx, dispute)
    await action.report?.(trx, attempt, changedDispute)
    const { order_id: orderId, state: from } = dispute
    const { name, to, note: detail } = action
    await recordOrderEvent(trx, { orderId, kind: 'act', name, subject: reference, from, to, detail, actor: actorLabel })
    const order = await findOrder(trx, orderId)
    await audit(trx, clock, {
      event: action.event,
      userId: order?.user_id ?? null,
      actor,
      details: { reference, outcome: to, order: order?.order_code ?? '' },
    })
    return changedDispute
  })
}
