import type { Market } from '#kit/contract/bootstrap.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Actor } from '#kit/server/actor.ts'
import { conflict, forbidden } from '#kit/server/http-error.ts'
import { requestApproval, type GrantHandler } from '#desk/features/approvals/server/approvals.ts'
import { type ApprovalRow, findOpenApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { listApprovers } from '#desk/features/approvals/server/approvers.ts'
import type { RefundAllowance, RefundingRole } from '#desk/features/orders/server/refund-limits.ts'
import { type LimitReason, formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { mailApprovalRequest, mailRightsRemoval, type StaffMailDeps } from '#desk/features/staff/server/staff.mail.ts'
import { listStaff, lockAdmins } from '#desk/features/staff/server/staff.store.ts'
import { roleNames, staffMessages } from '#desk/features/staff/staff.contract.ts'
import { limitsMessages } from '../limits.contract.ts'
import { type LimitsChange, readLimits, writeLimits } from './limits.store.ts'
import { sumUnapprovedRefunds, listLimits } from './limits.view.ts'

export type LimitsDeps = StaffMailDeps & { db: Db; market: Market }
export type LimitsRequest = LimitsChange & { reason: LimitReason; note: string }

export async function readLimitsPage(deps: LimitsDeps & { isDemo: boolean }, staff: SignedInStaff) {
  const { db, clock } = deps
  const listLimitApprovers = (role: RefundingRole): Promise<string[]> =>
    listApprovers(deps, { kind: 'limits', subject: role, asked_by: staff.id })
  const people = (await listStaff(db)).filter(({ suspended_at: suspended }) => suspended === null)
  return {
    limits: await listLimits(db),
    asked: {
      support: await findOpenApproval(db, 'limits', 'support'),
      finance: await findOpenApproval(db, 'limits', 'finance'),
    },
    people,
    given: await sumUnapprovedRefunds(db, clock),
    deciders: { support: await listLimitApprovers('support'), finance: await listLimitApprovers('finance') },
  }
}

/**
 * Lowers a role's limits immediately, or requests higher ones. Higher limits apply once another admin or a team lead
 * approves them, or after 24 hours.
 * @returns the request; `null` if the limits were changed immediately
 * @throws 403 if the person is not an admin, has this role, or has a passkey that is too new
 * @throws 409 if the limits have changed, are already as requested, or a request is open
 */
export const changeOrRequestLimits = (
  deps: LimitsDeps,
  staff: SignedInStaff,
  request: LimitsRequest,
): Promise<ApprovalRow | null> =>
  transact(deps.db, async (trx) => {
    const { clock } = deps
    const { role, from, to, reason, note } = request
    // All admins stay locked until the transaction ends, so nobody loses the admin role in the meantime.
    const admins = await lockAdmins(trx)
    if (!admins.includes(staff.id)) throw forbidden(staffMessages.notYours)
    if (staff.roles.includes(role)) throw forbidden(limitsMessages.oneself)
    if (isSameAllowance(from, to)) throw conflict(limitsMessages.same)
    const actor = toStaffActor(staff, formatStoredReason(request))
    if (to.orderCents <= from.orderCents && to.dayCents <= from.dayCents) {
      await storeLimitsChange(trx, clock, request, { actor, id: staff.id, approver: null })
      const description = `lowered the refund limits for ${roleNames[role]} to ${formatLimits(to)}`
      await mailRightsRemoval(trx, deps, actor, {
        subject: `Refund limits lowered for ${roleNames[role]}`,
        what: description,
        person: null,
      })
      return null
    }
    const now = (await readLimits(trx))[role]
    // A request based on outdated limits could never be approved, and would make a valid open request look outdated.
    if (!isSameAllowance(from, now)) throw conflict(limitsMessages.changed)
    const approval = await requestApproval(trx, staff, {
      kind: 'limits',
      subject: role,
      payload: { role, from, to },
      reason,
      note,
      isStale: (open) => !isSameAllowance(open.from, now),
    })
    const details = { approval: approval.id, kind: 'limits', subject: role, role, ...toAuditDetails(to) }
    await audit(trx, clock, { event: 'approval_asked', actor, details })
    const description = `higher limits for ${roleNames[role]}: ${formatLimits(to)}`
    await mailApprovalRequest(trx, deps, staff, { what: description, effectiveAt: approval.lapses_at })
    return approval
  })

export const changeApprovedLimits =
  ({ db, clock }: Pick<LimitsDeps, 'db' | 'clock'>): GrantHandler<'limits'> =>
  async ({ asked_by: id, asker: name, payload, reason, note }, decider, settle) => {
    const reasonText = formatStoredReason({ reason: reason as LimitReason, note })
    await transact(db, async (trx) => {
      if (!(await lockAdmins(trx)).includes(id)) throw conflict(limitsMessages.changed)
      await settle(trx)
      const actor = { by: 'staff', id, name, reason: reasonText } as const
      await storeLimitsChange(trx, clock, payload, { actor, id, approver: decider })
    })
    return { outcome: null, why: null }
  }

type ChangeAuthor = { actor: Actor; id: string; approver: { id: string; name: string } | null }

async function storeLimitsChange(
  trx: Trx,
  clock: Clock,
  limitsChange: LimitsChange,
  { actor, id, approver }: ChangeAuthor,
): Promise<void> {
  if (!(await writeLimits(trx, limitsChange, { id, approvedBy: approver?.id ?? null })))
    throw conflict(limitsMessages.changed)
  await audit(trx, clock, {
    event: 'refund_limits_changed',
    actor,
    details: {
      role: limitsChange.role,
      ...toAuditDetails(limitsChange.to),
      ...(approver && { approved_by: approver.name }),
    },
  })
}

const formatLimits = ({ orderCents, dayCents }: RefundAllowance): string =>
  `${formatPriceWithCommas(orderCents)} per order, ${formatPriceWithCommas(dayCents)} in 24 hours`

const toAuditDetails = ({ orderCents, dayCents }: RefundAllowance) => ({ order_cents: orderCents, day_cents: dayCents })

const isSameAllowance = (one: RefundAllowance, other: RefundAllowance): boolean =>
  one.orderCents === other.orderCents && one.dayCents === other.dayCents
