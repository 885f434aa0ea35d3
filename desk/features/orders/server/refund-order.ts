import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { conflict, badRequest, notFound, HttpError } from '#kit/server/http-error.ts'
import { recordOrderEvent } from '#features/orders/server/order-events.store.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { findRefundEligibility } from '#features/refunds/server/refund-eligibility.ts'
import type { RefundDeps } from '#features/refunds/server/refunds.deps.ts'
import {
  resolveRequest,
  type RefundOutcome,
  type RequestedRefund,
  requestRefund,
} from '#features/refunds/server/refunds.ts'
import { requestApproval, type ApprovalHandler } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow } from '#desk/features/approvals/server/approvals.store.ts'
import { readLimits } from '#desk/features/limits/server/limits.store.ts'
import { type Reason, formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { remainingAllowance, getRefundAllowance } from './refund-limits.ts'
import { sumUnapprovedStaffRefunds, lockStaffMember } from './staff-refunds.store.ts'

/** Amounts are in cents. `left` is the refundable amount that the person saw. */
export type RefundInput = { code: string; amount: number; left: number; reason: Reason; note: string }
type RefundResult = { outcome: 'received' | 'unknown' | 'refused'; credit_code: string | null; why: string | null }

/**
 * Refunds part of an order within the person's own limit. One person's concurrent refunds run one after the other.
 * @throws 403 if a second person is needed, 409 if the refund is not possible
 */
export async function refundWithinLimit(
  deps: RefundDeps,
  staff: SignedInStaff,
  input: RefundInput,
): Promise<RefundResult> {
  const actor = toStaffActor(staff, formatStoredReason(input))
  const request = await transact(deps.db, async (trx) => {
    const requestedRefund = await requestRefund(trx, deps, {
      orderCode: input.code,
      actor,
      wish: { amountCents: input.amount, leftCents: input.left, reason: formatStoredReason(input) },
    })
    if ('why' in requestedRefund) return requestedRefund
    await requireAmountWithinLimits(trx, deps, staff, requestedRefund)
    await recordRefundEvent(trx, requestedRefund, formatActor(actor))
    return requestedRefund
  })
  return toRefundResult(await resolveRequest(deps, request))
}

/**
 * Checks a refund against the person's limits.
 * @throws 403 if the amount exceeds them; the error then rolls the refund back
 */
async function requireAmountWithinLimits(
  trx: Trx,
  { clock }: RefundDeps,
  { id, roles }: SignedInStaff,
  { cents, givenCents }: RequestedRefund,
): Promise<void> {
  await lockStaffMember(trx, id)
  // The refund's row has already been written, so the sums include it and its amount is subtracted again.
  const refundedAmounts = {
    ofOrder: givenCents - cents,
    ofDay: (await sumUnapprovedStaffRefunds(trx, clock, id)) - cents,
  }
  const maxCents = remainingAllowance(getRefundAllowance(await readLimits(trx), roles), refundedAmounts)
  if (cents > maxCents) throw approvalRequiredError(maxCents)
}

/** The field `second_person` tells the page to offer a request for approval. */
const approvalRequiredError = (maxCents: number): HttpError =>
  new HttpError(403, {
    code:
      maxCents > 0
        ? `This refund needs approval. You can refund up to ${formatPriceWithCommas(maxCents)} of this order without it.`
        : 'You’ve reached the amount you can refund without approval (per order, or in 24 hours). Request approval.',
    second_person: true,
  })

const recordRefundEvent = (trx: Trx, { order, cents }: RequestedRefund, actor: string | null): Promise<void> =>
  recordOrderEvent(trx, { orderId: order.id, kind: 'act', name: 'refund', detail: formatPriceWithCommas(cents), actor })

function toRefundResult(result: RefundOutcome): RefundResult {
  if (result.outcome === 'impossible') throw conflict(result.why)
  return {
    outcome: result.outcome,
    credit_code: result.outcome === 'received' ? result.creditCode : null,
    why: result.outcome === 'refused' ? result.code : null,
  }
}

/**
 * Requests another person's approval for a refund.
 * @throws 404, 400 if the amount exceeds the refundable amount, 409 if a refund is not possible or a request is open
 */
export const requestRefundApproval = (
  deps: RefundDeps,
  staff: SignedInStaff,
  input: RefundInput,
): Promise<ApprovalRow> =>
  transact(deps.db, async (trx) => {
    const order = await findOrderByCode(trx, input.code)
    if (!order) throw notFound()
    const refundEligibility = await findRefundEligibility(trx, order)
    if ('why' in refundEligibility) throw conflict(refundEligibility.why)
    if (input.amount > refundEligibility.mostCents)
      throw badRequest({
        amount: [`At most ${formatPriceWithCommas(refundEligibility.mostCents)} of this order can still be refunded.`],
      })
    if (input.amount === refundEligibility.mostCents && refundEligibility.notAllWhy)
      throw conflict(refundEligibility.notAllWhy)
    const { code, reason, note, amount: cents } = input
    const payload = { order_code: code, cents }
    const approval = await requestApproval(trx, staff, {
      kind: 'refund',
      subject: code,
      payload,
      reason,
      note,
      isStale: (open) => open.cents > refundEligibility.mostCents,
    })
    const actor = toStaffActor(staff, formatStoredReason(input))
    await recordOrderEvent(trx, {
      orderId: order.id,
      kind: 'act',
      name: 'ask_refund',
      detail: formatPriceWithCommas(cents),
      actor: formatActor(actor),
    })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      userId: order.user_id,
      actor,
      details: { approval: approval.id, kind: 'refund', subject: code, cents },
    })
    return approval
  })

export const makeApprovedRefund =
  (deps: RefundDeps): ApprovalHandler<'refund'> =>
  async ({ id, asked_by, asker, payload, reason, note }, decider, settle) => {
    const why = formatStoredReason({ reason: reason as Reason, note })
    const actor = { by: 'staff', id: asked_by, name: asker, reason: why } as const
    const request = await transact(deps.db, async (trx) => {
      const noted = { approved_by: decider.name, approval: id }
      const requestedRefund = await requestRefund(trx, deps, {
        orderCode: payload.order_code,
        actor,
        wish: { amountCents: payload.cents, reason: why, noted },
      })
      if ('why' in requestedRefund) return requestedRefund
      await settle(trx)
      await recordRefundEvent(trx, requestedRefund, `${formatActor(actor)}, approved by ${decider.name}`)
      return requestedRefund
    })
    const { outcome, why: refusal } = toRefundResult(await resolveRequest(deps, request))
    return { outcome, why: refusal }
  }
