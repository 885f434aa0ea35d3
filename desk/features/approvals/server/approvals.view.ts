import { toWire } from '#kit/contract/money.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { maskedFullName } from '#desk/features/staff/server/person.present.ts'
import { reasonName } from '#desk/features/staff/reasons.contract.ts'
import type { Approval } from '#desk/features/approvals/approvals.contract.ts'
import {
  approvalKinds,
  type AskedApproval,
  countReason,
  openApprovals,
  ownApprovals,
  type StaffRights,
} from './approvals.store.ts'
import type { Db } from '#kit/server/db.ts'
import { type AskedCatalogue, describeCatalogues } from '#desk/features/catalogue/server/asked.view.ts'
import { type AskedVouchers, describeVouchers } from '#desk/features/stock/server/asked-vouchers.view.ts'
import { type AskedSettlement, describeSettlements } from '#desk/features/orders/server/asked-settlements.view.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type AskedLimits, describeLimits } from '#desk/features/limits/server/limits.view.ts'
import { type AskedStaffChange, describeStaffChanges } from '#desk/features/team/server/asked-staff.view.ts'
import { mayDecide, type Obstacle, obstacleFor } from './deciders.ts'
import { findSharedInfluences } from './influence.view.ts'

export function presentApproval({ about, ...told }: ToldApproval): Approval {
  const asked = presentAsked(told)
  if (about.kind === 'catalogue') {
    const { path, from, changes, worse, better, isStale } = about
    return { kind: 'catalogue', ...asked, path, from, changes, worse, better, is_stale: isStale }
  }
  if (about.kind === 'vouchers') {
    const { title, count, expires, worthCents } = about
    return { kind: 'vouchers', ...asked, title, count, expires, worth: toWire(worthCents) }
  }
  if (about.kind === 'limits') {
    const { role, from, to, isStale } = about
    return {
      kind: 'limits',
      ...asked,
      role,
      from_order: toWire(from.orderCents),
      from_day: toWire(from.dayCents),
      to_order: toWire(to.orderCents),
      to_day: toWire(to.dayCents),
      is_stale: isStale,
    }
  }
  if (about.kind === 'staff') {
    const { act, from, to, isStale } = about
    return {
      kind: 'staff',
      ...asked,
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
      ...asked,
      of,
      said,
      amount: toWire(cents),
      reference,
      psp_reference: pspReference,
      title,
      customer: maskedFullName(fullName),
    }
  }
  return {
    kind: 'refund',
    ...asked,
    amount: toWire(about.cents),
    paid: toWire(about.paidCents),
    title: about.title,
    customer: maskedFullName(about.fullName),
  }
}

const presentRights = ({ name, roles, isLead }: StaffRights) => ({ name, roles, is_lead: isLead })

const presentAsked = ({ approval, sameReason: { asker, all }, obstacle }: Omit<ToldApproval, 'about'>) => ({
  id: approval.id,
  subject: approval.subject,
  asked_by: approval.asker,
  reason: reasonName(approval.reason) ?? approval.reason,
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
 * A request past `lapses_at` counts as lapsed, even before its row says so. A grant stays open until the next run
 * applies it.
 */
export const approvalState = ({ takes_effect, decision, lapses_at }: AskedApproval): Approval['state'] =>
  decision ?? (lapses_at <= toDate(realNow()) && !takes_effect ? 'lapsed' : 'open')

type AskedRefund = { kind: 'refund'; cents: number; title: string; paidCents: number; fullName: string }

export type ToldApproval = {
  approval: AskedApproval
  about: AskedRefund | AskedCatalogue | AskedVouchers | AskedSettlement | AskedLimits | AskedStaffChange
  sameReason: { asker: number; all: number }
  obstacle: Obstacle | null
}

export async function readApprovals(
  db: Db,
  staff: SignedInStaff,
): Promise<{ toDecide: ToldApproval[]; own: ToldApproval[] }> {
  const toDecide = await openFor(db, staff)
  return {
    toDecide: await told(db, toDecide, await obstaclesFor(db, toDecide, staff)),
    own: await told(db, await ownApprovals(db, staff.id)),
  }
}

async function openFor(db: Db, staff: SignedInStaff): Promise<AskedApproval[]> {
  const kinds = approvalKinds.filter((kind) => mayDecide(staff, kind))
  return kinds.length === 0 ? [] : openApprovals(db, { kinds, notOf: staff.id })
}

async function obstaclesFor(
  db: Db,
  approvals: AskedApproval[],
  staff: SignedInStaff,
): Promise<Map<string, Obstacle | null>> {
  const influences = new Map<string, Map<string, string>>()
  for (const id of new Set(approvals.map(({ asked_by: id }) => id)))
    influences.set(id, await findSharedInfluences(db, id))
  return new Map(
    approvals.map((approval) => [
      approval.id,
      obstacleFor(approval, staff, influences.get(approval.asked_by) ?? new Map()),
    ]),
  )
}

export const countToDecide = async (db: Db, staff: SignedInStaff): Promise<number> => (await openFor(db, staff)).length

const only = <Kind extends AskedApproval['kind']>(approvals: AskedApproval[], kind: Kind) =>
  approvals.filter((approval) => approval.kind === kind) as AskedApproval<Kind>[]

async function told(
  db: Db,
  approvals: AskedApproval[],
  obstacles: ReadonlyMap<string, Obstacle | null> = new Map(),
): Promise<ToldApproval[]> {
  const abouts = new Map<string, ToldApproval['about']>([
    ...(await describeRefunds(db, only(approvals, 'refund'))),
    ...(await describeCatalogues(db, only(approvals, 'catalogue'))),
    ...(await describeVouchers(db, only(approvals, 'vouchers'))),
    ...(await describeSettlements(db, only(approvals, 'settlement'))),
    ...(await describeLimits(db, only(approvals, 'limits'))),
    ...(await describeStaffChanges(db, only(approvals, 'staff'))),
  ])
  const all: ToldApproval[] = []
  for (const approval of approvals) {
    const about = abouts.get(approval.id)
    const obstacle = obstacles.get(approval.id) ?? null
    if (about) all.push({ approval, about, sameReason: await countReason(db, approval), obstacle })
  }
  return all
}

async function describeRefunds(db: Db, approvals: AskedApproval<'refund'>[]): Promise<[string, AskedRefund][]> {
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
  const byCode = new Map(orders.map((order) => [order.order_code, order]))
  return approvals.map(({ id, subject, payload }) => {
    const order = byCode.get(subject)
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
