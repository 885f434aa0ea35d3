import { toWire } from '#kit/contract/money.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { maskedFullName } from '#desk/features/staff/server/person.present.ts'
import { reasonName } from '#desk/features/staff/reasons.contract.ts'
import type { Approval } from '../approvals.contract.ts'
import { type AskedApproval, type StaffRights } from './approvals.store.ts'
import type { ToldApproval } from './approvals.view.ts'

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

/** A request past its time has lapsed, even before its row says so. A grant stays open until the next run applies it. */
export const approvalState = ({ takes_effect, decision, lapses_at }: AskedApproval): Approval['state'] =>
  decision ?? (lapses_at <= toDate(realNow()) && !takes_effect ? 'lapsed' : 'open')
