import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { realNow } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { conflict, badRequest, notFound } from '#kit/server/http-error.ts'
import type { SettledOutcome, UnsettledRequest } from '#features/orders/payment-attempts.states.ts'
import { recordOrderEvent } from '#features/orders/server/order-events.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { settlePayment, findUnsettledPayment } from '#features/orders/server/settle-payment.ts'
import { settleRefund, findUnsettledRefund } from '#features/refunds/server/settle-refund.ts'
import { requestApproval, type ApprovalHandler } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow } from '#desk/features/approvals/server/approvals.store.ts'
import { formatStoredReason, type SettlementReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'

/** Minutes for which Fantail itself polls the gateway before staff may settle a request by hand. */
const minSettlementDelayMinutes = 30

/** Returns a gateway request of this order without an outcome for at least half an hour of real time; `null` if there is none. */
export async function findUnresolvedGatewayRequest(db: Db, order: Order): Promise<UnsettledRequest | null> {
  const open = (await findUnsettledRefund(db, order)) ?? (await findUnsettledPayment(db, order))
  return open && realNow().since(open.since).total('minutes') >= minSettlementDelayMinutes ? open : null
}

type SettlementInput = {
  code: string
  reference: string
  said: SettledOutcome
  psp_reference: string
  reason: SettlementReason
  note: string
}

/**
 * Requests approval to settle a gateway request without an outcome by hand.
 * @throws 404, 400 for an outcome that is no longer possible, 409 if the outcome is now known or an approval request is open
 */
export async function requestSettlementApproval(
  deps: OrderDeps,
  staff: SignedInStaff,
  input: SettlementInput,
): Promise<ApprovalRow> {
  const order = await findOrderByCode(deps.db, input.code)
  if (!order) throw notFound()
  const open = await findUnresolvedGatewayRequest(deps.db, order)
  if (open?.reference !== input.reference) throw conflict(outcomeKnownMessage)
  if (!open.may.includes(input.said))
    throw badRequest({
      said: ['The payment is already being cancelled at the gateway. The reserved amount is released automatically.'],
    })
  const { of, reference, cents } = open
  const { said, psp_reference, reason, note } = input
  return transact(deps.db, async (trx) => {
    const approval = await requestApproval(trx, staff, {
      kind: 'settlement',
      subject: order.order_code,
      payload: { of, reference, cents, said, psp_reference },
      reason,
      note,
      isStale: (pending) => pending.reference !== reference || !open.may.includes(pending.said),
    })
    const actor = toStaffActor(staff, formatStoredReason(input))
    await recordOrderEvent(trx, {
      orderId: order.id,
      kind: 'act',
      name: 'ask_settlement',
      subject: reference,
      detail: `${said === 'paid' ? 'paid' : 'not paid'}: ${psp_reference}`,
      actor: formatActor(actor),
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

const outcomeKnownMessage = 'The outcome is already known. Refresh to see it.'

export const recordApprovedSettlement =
  (deps: OrderDeps): ApprovalHandler<'settlement'> =>
  async ({ id, asked_by, asker, payload, subject, reason, note }, decider, settle) => {
    const { of, reference, said, psp_reference: pspReference, cents } = payload
    const actor = {
      by: 'staff',
      id: asked_by,
      name: asker,
      reason: formatStoredReason({ reason: reason as SettlementReason, note }),
    } as const
    await transact(deps.db, async (trx) => {
      const order = await findOrderByCode(trx, subject)
      if (!order) throw notFound()
      const settlement = { order, reference, said, pspReference }
      const isSettled = await (of === 'refund'
        ? settleRefund(trx, deps, settlement)
        : settlePayment(trx, deps, settlement))
      if (!isSettled) throw conflict(outcomeKnownMessage)
      await settle(trx)
      const eventDetail = `${said === 'paid' ? 'paid' : 'not paid'}: ${pspReference}, ${formatPriceWithCommas(cents)}`
      await recordOrderEvent(trx, {
        orderId: order.id,
        kind: 'act',
        name: 'settle',
        subject: reference,
        detail: eventDetail,
        actor: `${formatActor(actor)}, approved by ${decider.name}`,
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
