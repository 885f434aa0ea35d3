import { formatSum } from '#kit/contract/sums.ts'
import { nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { realNow } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict, invalid, notFound } from '#kit/server/refusal.ts'
import type { SettledAs, Unsettled } from '#features/orders/payment-attempts.states.ts'
import { noteOrderEvent } from '#features/orders/server/order-events.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { settlePayment, unsettledPayment } from '#features/orders/server/settle-payment.ts'
import { settleRefund, unsettledRefund } from '#features/refunds/server/settle-refund.ts'
import { askForApproval, type RunApproved } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow } from '#desk/features/approvals/server/approvals.store.ts'
import { reasonLine, type SettlementReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'

/** Minutes during which the product polls the gateway before a person may settle the call. */
const settleMinutes = 30

/** A gateway call of this order without an outcome for at least half an hour of real time; `null` when there is none. */
export async function findUnsettled(db: Db, order: Order): Promise<Unsettled | null> {
  const open = (await unsettledRefund(db, order)) ?? (await unsettledPayment(db, order))
  return open && realNow().since(open.since).total('minutes') >= settleMinutes ? open : null
}

type Wish = {
  code: string
  reference: string
  said: SettledAs
  psp_reference: string
  reason: SettlementReason
  note: string
}

/**
 * Requests a manual settlement of a call for which the gateway gave no outcome.
 * @throws 404, 400 for an outcome that is no longer possible, 409 when the call has an outcome by now or a request is open
 */
export async function askToSettle(deps: OrderDeps, staff: SignedInStaff, wish: Wish): Promise<ApprovalRow> {
  const order = await findOrderByCode(deps.db, wish.code)
  if (!order) throw notFound()
  const open = await findUnsettled(deps.db, order)
  if (open?.reference !== wish.reference) throw conflict(hasOutcome)
  if (!open.may.includes(wish.said))
    throw invalid({
      said: ['The payment is already being cancelled at the gateway. The reserved amount is released automatically.'],
    })
  const { of, reference, cents } = open
  const { said, psp_reference, reason, note } = wish
  return transact(deps.db, async (trx) => {
    const approval = await askForApproval(trx, staff, {
      kind: 'settlement',
      subject: order.order_code,
      payload: { of, reference, cents, said, psp_reference },
      reason,
      note,
      isStale: (asked) => asked.reference !== reference || !open.may.includes(asked.said),
    })
    const actor = actorOf(staff, reasonLine(wish))
    await noteOrderEvent(trx, {
      orderId: order.id,
      kind: 'act',
      name: 'ask_settlement',
      subject: reference,
      detail: `${said === 'paid' ? 'paid' : 'not paid'}: ${psp_reference}`,
      actor: nameOf(actor),
    })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      userId: order.user_id,
      actor,
      details: { approval: approval.id, kind: 'settlement', subject: order.order_code, cents, said },
    })
    return approval
  })
}

const hasOutcome = 'The outcome is already known. Refresh to see it.'

export const settleApproved =
  (deps: OrderDeps): RunApproved<'settlement'> =>
  async ({ id, asked_by, asker, payload, subject, reason, note }, decider, settle) => {
    const { of, reference, said, psp_reference: pspReference, cents } = payload
    const actor = {
      by: 'staff',
      id: asked_by,
      name: asker,
      reason: reasonLine({ reason: reason as SettlementReason, note }),
    } as const
    await transact(deps.db, async (trx) => {
      const order = await findOrderByCode(trx, subject)
      if (!order) throw notFound()
      const settlement = { order, reference, said, pspReference }
      const isDone = await (of === 'refund'
        ? settleRefund(trx, deps, settlement)
        : settlePayment(trx, deps, settlement))
      if (!isDone) throw conflict(hasOutcome)
      await settle(trx)
      const words = `${said === 'paid' ? 'paid' : 'not paid'}: ${pspReference}, ${formatSum(cents)}`
      await noteOrderEvent(trx, {
        orderId: order.id,
        kind: 'act',
        name: 'settle',
        subject: reference,
        detail: words,
        actor: `${nameOf(actor)}, approved by ${decider.name}`,
      })
      await audit(trx, deps.clock, {
        event: 'payment_settled',
        userId: order.user_id,
        actor,
        details: { reference, of, said, psp_reference: pspReference, cents, approved_by: decider.name, approval: id },
      })
    })
    return { outcome: null, why: null }
  }
