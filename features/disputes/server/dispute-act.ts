import { type Actor, nameOf } from '#kit/server/actor.ts'
import { audit, type AuditEvent } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { noteOrderEvent } from '#features/orders/server/order-events.store.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { type Attempt, latestAttempt, lockAttempt } from '#features/orders/server/payments.store.ts'
import { endDisputeTasks } from './dispute-tasks.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { type Dispute, findDisputeByReference } from './disputes.store.ts'

type DisputeAct = {
  event: AuditEvent
  /** The name of the order event. */
  name: string
  /** The result, in one word. */
  to: string
  note: string | null
  whyNot(dispute: Dispute): string | null
  /** `null` when the dispute has changed meanwhile. */
  change(trx: Trx, dispute: Dispute, by: string): Promise<Dispute | null>
  report?(trx: Trx, attempt: Attempt, dispute: Dispute): Promise<void>
}

export async function actOnDispute(
  { db, clock }: DisputeDeps,
  { reference, actor }: { reference: string; actor: Actor },
  act: DisputeAct,
): Promise<Dispute | { why: string }> {
  const found = await findDisputeByReference(db, reference)
  const paid = found && (await latestAttempt(db, found.order_id))
  if (!paid) return { why: 'No dispute has this reference.' }
  return transact(db, async (trx) => {
    // The lock serialises refunds and disputes of one payment.
    const attempt = await lockAttempt(trx, paid.id)
    const dispute = await findDisputeByReference(trx, reference)
    if (!dispute) return { why: 'No dispute has this reference.' }
    const why = act.whyNot(dispute)
    if (why) return { why }
    const by = nameOf(actor) ?? ''
    const changed = await act.change(trx, dispute, by)
    if (!changed) return { why: 'This dispute has just changed. Refresh to see it.' }
    await endDisputeTasks(trx, dispute)
    await act.report?.(trx, attempt, changed)
    const { order_id: orderId, state: from } = dispute
    const { name, to, note: detail } = act
    await noteOrderEvent(trx, { orderId, kind: 'act', name, subject: reference, from, to, detail, actor: by })
    const order = await findOrder(trx, orderId)
    await audit(trx, clock, {
      event: act.event,
      userId: order?.user_id ?? null,
      actor,
      details: { reference, outcome: to, order: order?.order_code ?? '' },
    })
    return changed
  })
}
