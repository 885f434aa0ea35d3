import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { maskFullName } from '#desk/features/staff/server/person.present.ts'
import { getReasonName } from '#desk/features/staff/reasons.contract.ts'
import type { Approval } from '#desk/features/approvals/approvals.contract.ts'
import {
  approvalKinds,
  type ApprovalRequest,
  countRequestsWithReason,
  listOpenApprovals,
  listOwnApprovals,
  type StaffRights,
} from './approvals.store.ts'
import type { Db } from '#kit/server/db.ts'
import { type RequestedCatalogue, describeCatalogues } from '#desk/features/catalogue/server/catalogue-requests.view.ts'
import { type RequestedVouchers, describeVouchers } from '#desk/features/stock/server/voucher-requests.view.ts'
import { type RequestedSettlement, describeSettlements } from '#desk/features/orders/server/settlement-requests.view.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type RequestedLimits, describeLimits } from '#desk/features/limits/server/limits.view.ts'
import { type RequestedStaffChange, describeStaffChanges } from '#desk/features/team/server/staff-requests.view.ts'
import { canDecide, type ApprovalObstacle, getApprovalObstacle } from './approvers.ts'
import { findSharedInfluences } from './influence.view.ts'

export function presentApproval({ about, ...rest }: DescribedApproval): Approval {
  const request = presentRequest(rest)
  if (about.kind === 'catalogue') {
    const { path, from, changes, worse, better, isStale } = about
    return { kind: 'catalogue', ...request, path, from, changes, worse, better, is_stale: isStale }
  }
  if (about.kind === 'vouchers') {
    const { title, count, expires, worthCents } = about
    return { kind: 'vouchers', ...request, title, count, expires, worth: centsToDecimal(worthCents) }
  }
  if (about.kind === 'limits') {
    const { role, from, to, isStale } = about
    return {
      kind: 'limits',
      ...request,
      role,
      from_order: centsToDecimal(from.orderCents),
      from_day: centsToDecimal(from.dayCents),
      to_order: centsToDecimal(to.orderCents),
      to_day: centsToDecimal(to.dayCents),
      is_stale: isStale,
    }
  }
  if (about.kind === 'staff') {
    const { act, from, to, isStale } = about
    return {
      kind: 'staff',
      ...request,
      act,
      before: from && { ...presentRights(from), suspended: from.isSuspended },
      after: presentRights(to),
      is_stale: isStale,
    }
  }
  if (about.kind === 'settlement') {
    const { of, said, cents, reference, pspReference, title, fullName } = about
    return {
      kind: 'settlement',
      ...request,
      of,
      said,
      amount: centsToDecimal(cents),
      reference,
      psp_reference: pspReference,
      title,
      customer: maskFullName(fullName),
    }
  }
  return {
    kind: 'refund',
    ...request,
    amount: centsToDecimal(about.cents),
    paid: centsToDecimal(about.paidCents),
    title: about.title,
    customer: maskFullName(about.fullName),
  }
}

const presentRights = ({ name, roles, isLead }: StaffRights) => ({ name, roles, is_lead: isLead })

const presentRequest = ({ approval, sameReason: { asker, all }, obstacle }: Omit<DescribedApproval, 'about'>) => ({
  id: approval.id,
  subject: approval.subject,
  asked_by: approval.asker,
  reason: getReasonName(approval.reason) ?? approval.reason,
  note: approval.note,
  asked: approval.asked_at.toISOString(),
  lapses: approval.lapses_at.toISOString(),
  age_seconds: secondsFromNow(approval.asked_at) * -1,
  left_seconds: secondsFromNow(approval.lapses_at),
  state: approvalState(approval),
  decided_by: approval.decider,
  words: approval.words,
  same_reason: { asker, all },
  cannot_approve: obstacle && { why: obstacle.why, until: obstacle.until?.toISOString() ?? null },
})

const secondsFromNow = (at: Date): number => Math.round((at.getTime() - realNow().epochMilliseconds) / 1_000)

/**
 * A request past `lapses_at` counts as lapsed, even before its row says so. A request that takes effect at that time instead stays open
 * until the job that applies such requests next runs.
 */
export const approvalState = ({ takes_effect, decision, lapses_at }: ApprovalRequest): Approval['state'] =>
  decision ?? (lapses_at <= toDate(realNow()) && !takes_effect ? 'lapsed' : 'open')

type RequestedRefund = { kind: 'refund'; cents: number; title: string; paidCents: number; fullName: string }

export type DescribedApproval = {
  approval: ApprovalRequest
  about:
    | RequestedRefund
    | RequestedCatalogue
    | RequestedVouchers
    | RequestedSettlement
    | RequestedLimits
    | RequestedStaffChange
  sameReason: { asker: number; all: number }
  obstacle: ApprovalObstacle | null
}

export async function readApprovals(
  db: Db,
  staff: SignedInStaff,
): Promise<{ toDecide: DescribedApproval[]; own: DescribedApproval[] }> {
  const openRequests = await listDecidableRequests(db, staff)
  return {
    toDecide: await describeApprovals(db, openRequests, await findApprovalObstacles(db, openRequests, staff)),
    own: await describeApprovals(db, await listOwnApprovals(db, staff.id)),
  }
}

async function listDecidableRequests(db: Db, staff: SignedInStaff): Promise<ApprovalRequest[]> {
  const kinds = approvalKinds.filter((kind) => canDecide(staff, kind))
  return kinds.length === 0 ? [] : listOpenApprovals(db, { kinds, notOf: staff.id })
}

async function findApprovalObstacles(
  db: Db,
  approvals: ApprovalRequest[],
  staff: SignedInStaff,
): Promise<Map<string, ApprovalObstacle | null>> {
  const sharedInfluences = new Map<string, Map<string, string>>()
  for (const id of new Set(approvals.map(({ asked_by: id }) => id)))
    sharedInfluences.set(id, await findSharedInfluences(db, id))
  return new Map(
    approvals.map((approval) => [
      approval.id,
      getApprovalObstacle(approval, staff, sharedInfluences.get(approval.asked_by) ?? new Map()),
    ]),
  )
}

export const countDecidableRequests = async (db: Db, staff: SignedInStaff): Promise<number> =>
  (await listDecidableRequests(db, staff)).length

const filterByKind = <Kind extends ApprovalRequest['kind']>(approvals: ApprovalRequest[], kind: Kind) =>
  approvals.filter((approval) => approval.kind === kind) as ApprovalRequest<Kind>[]

async function describeApprovals(
  db: Db,
  approvals: ApprovalRequest[],
  obstacles: ReadonlyMap<string, ApprovalObstacle | null> = new Map(),
): Promise<DescribedApproval[]> {
  const descriptions = new Map<string, DescribedApproval['about']>([
    ...(await describeRefunds(db, filterByKind(approvals, 'refund'))),
    ...(await describeCatalogues(db, filterByKind(approvals, 'catalogue'))),
    ...(await describeVouchers(db, filterByKind(approvals, 'vouchers'))),
    ...(await describeSettlements(db, filterByKind(approvals, 'settlement'))),
    ...(await describeLimits(db, filterByKind(approvals, 'limits'))),
    ...(await describeStaffChanges(db, filterByKind(approvals, 'staff'))),
  ])
  const describedApprovals: DescribedApproval[] = []
  for (const approval of approvals) {
    const about = descriptions.get(approval.id)
    const obstacle = obstacles.get(approval.id) ?? null
    if (about)
      describedApprovals.push({ approval, about, sameReason: await countRequestsWithReason(db, approval), obstacle })
  }
  return describedApprovals
}

async function describeRefunds(db: Db, approvals: ApprovalRequest<'refund'>[]): Promise<[string, RequestedRefund][]> {
  if (approvals.length === 0) return []
  const orders = await db
    .selectFrom('orders')
    .select(['order_code', 'product', 'amount_cents', 'full_name'])
    .where(
      'order_code',
      'in',
      approvals.map(({ subject }) => subject),
    )
    .execute()
  const ordersByCode = new Map(orders.map((order) => [order.order_code, order]))
  return approvals.map(({ id, subject, payload }) => {
    const order = ordersByCode.get(subject)
    const { title = '' } = order?.product ?? {}
    return [
      id,
      {
        kind: 'refund',
        cents: payload.cents,
        title,
        paidCents: order?.amount_cents ?? 0,
        fullName: order?.full_name ?? '',
      },
    ]
  })
}
