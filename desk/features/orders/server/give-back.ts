import { formatSum } from '#kit/contract/sums.ts'
import { nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { conflict, invalid, notFound, Refusal } from '#kit/server/refusal.ts'
import { noteOrderEvent } from '#features/orders/server/order-events.store.ts'
import { findOrderByCode } from '#features/orders/server/orders.store.ts'
import { findRefundable } from '#features/refunds/server/refundable.ts'
import type { RefundDeps } from '#features/refunds/server/refunds.deps.ts'
import { outcomeOf, type RefundOutcome, type RequestedRefund, requestRefund } from '#features/refunds/server/refunds.ts'
import { askForApproval, type RunApproved } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow } from '#desk/features/approvals/server/approvals.store.ts'
import { readLimits } from '#desk/features/limits/server/limits.store.ts'
import { type Reason, reasonLine } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { leftAlone, limitsOf } from './refund-limits.ts'
import { givenAloneInADay, lockGiver } from './staff-refunds.store.ts'

/** Amounts are in cents. `left` is the refundable amount that the person saw. */
export type GiveBack = { code: string; amount: number; left: number; reason: Reason; note: string }
type Done = { outcome: 'received' | 'unknown' | 'refused'; credit_code: string | null; why: string | null }

/**
 * Refunds part of an order within the person's own limit. Concurrent refunds by one person run one after the other.
 * @throws 403 when a second person is needed, 409 when the refund is not possible
 */
export async function giveBackAlone(deps: RefundDeps, staff: SignedInStaff, wish: GiveBack): Promise<Done> {
  const actor = actorOf(staff, reasonLine(wish))
  const request = await transact(deps.db, async (trx) => {
    const requested = await requestRefund(trx, deps, {
      orderCode: wish.code,
      actor,
      wish: { amountCents: wish.amount, leftCents: wish.left, reason: reasonLine(wish) },
    })
    if ('why' in requested) return requested
    await requireWithinLimits(trx, deps, staff, requested)
    await noteGivenBack(trx, requested, nameOf(actor))
    return requested
  })
  return doneWith(await outcomeOf(deps, request))
}

/** @throws 403 when the amount exceeds this person's limit; the error rolls the refund back */
async function requireWithinLimits(
  trx: Trx,
  { clock }: RefundDeps,
  { id, roles }: SignedInStaff,
  { cents, givenCents }: RequestedRefund,
): Promise<void> {
  await lockGiver(trx, id)
  // Both sums include this refund, because its row is already written.
  const given = { ofOrder: givenCents - cents, ofDay: (await givenAloneInADay(trx, clock, id)) - cents }
  const most = leftAlone(limitsOf(await readLimits(trx), roles), given)
  if (cents > most) throw secondNeeded(most)
}

/** The field `second_person` tells the page to offer a request for approval. */
const secondNeeded = (mostCents: number): Refusal =>
  new Refusal(403, {
    code:
      mostCents > 0
        ? `This refund needs approval. You can refund up to ${formatSum(mostCents)} of this order without it.`
        : 'You’ve reached the amount you can refund without approval (per order, or in 24 hours). Request approval.',
    second_person: true,
  })

const noteGivenBack = (trx: Trx, { order, cents }: RequestedRefund, actor: string | null): Promise<void> =>
  noteOrderEvent(trx, { orderId: order.id, kind: 'act', name: 'refund', detail: formatSum(cents), actor })

function doneWith(result: RefundOutcome): Done {
  if (result.outcome === 'impossible') throw conflict(result.why)
  return {
    outcome: result.outcome,
    credit_code: result.outcome === 'received' ? result.creditCode : null,
    why: result.outcome === 'refused' ? result.code : null,
  }
}

/**
 * Requests a refund that another person approves.
 * @throws 404, 400 when the amount exceeds the refundable amount, 409 when a refund is not possible or a request is open
 */
export const askToGiveBack = (deps: RefundDeps, staff: SignedInStaff, wish: GiveBack): Promise<ApprovalRow> =>
  transact(deps.db, async (trx) => {
    const order = await findOrderByCode(trx, wish.code)
    if (!order) throw notFound()
    const found = await findRefundable(trx, order)
    if ('why' in found) throw conflict(found.why)
    if (wish.amount > found.mostCents)
      throw invalid({ amount: [`At most ${formatSum(found.mostCents)} of this order can still be refunded.`] })
    if (wish.amount === found.mostCents && found.notAllWhy) throw conflict(found.notAllWhy)
    const { code, reason, note, amount: cents } = wish
    const payload = { order_code: code, cents }
    const approval = await askForApproval(trx, staff, {
      kind: 'refund',
      subject: code,
      payload,
      reason,
      note,
      isStale: (open) => open.cents > found.mostCents,
    })
    const actor = actorOf(staff, reasonLine(wish))
    await noteOrderEvent(trx, {
      orderId: order.id,
      kind: 'act',
      name: 'ask_refund',
      detail: formatSum(cents),
      actor: nameOf(actor),
    })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      userId: order.user_id,
      actor,
      details: { approval: approval.id, kind: 'refund', subject: code, cents },
    })
    return approval
  })

export const giveBackApproved =
  (deps: RefundDeps): RunApproved<'refund'> =>
  async ({ id, asked_by, asker, payload, reason, note }, decider, settle) => {
    const why = reasonLine({ reason: reason as Reason, note })
    const actor = { by: 'staff', id: asked_by, name: asker, reason: why } as const
    const request = await transact(deps.db, async (trx) => {
      const noted = { approved_by: decider.name, approval: id }
      const requested = await requestRefund(trx, deps, {
        orderCode: payload.order_code,
        actor,
        wish: { amountCents: payload.cents, reason: why, noted },
      })
      if ('why' in requested) return requested
      await settle(trx)
      await noteGivenBack(trx, requested, `${nameOf(actor)}, approved by ${decider.name}`)
      return requested
    })
    const { outcome, why: refusal } = doneWith(await outcomeOf(deps, request))
    return { outcome, why: refusal }
  }
