import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import {
  type RefundingRole,
  refundingRoles,
  getRefundAllowance,
  type RefundLimits,
} from '#desk/features/orders/server/refund-limits.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type Limits, limitsMessages, type RoleLimits } from '../limits.contract.ts'
import type { readLimitsPage } from './limits.ts'
import type { ListedLimits } from './limits.view.ts'

type LimitsData = Awaited<ReturnType<typeof readLimitsPage>>

export function presentLimits({ limits, asked, people, given, deciders }: LimitsData, staff: SignedInStaff): Limits {
  const limitsByRole = new Map(limits.map((row) => [row.role, row]))
  const rows = refundingRoles.flatMap((role) => limitsByRole.get(role) ?? [])
  const storedLimits = Object.fromEntries(
    rows.map(({ role, order_cents, day_cents }) => [role, { orderCents: order_cents, dayCents: day_cents }]),
  ) as RefundLimits
  return {
    roles: rows.map((row) => presentRole(row, { asked: asked[row.role], deciders: deciders[row.role], staff })),
    people: people
      .filter(({ roles }) => refundingRoles.some((role) => roles.includes(role)))
      .map(({ id, name, roles }) => ({
        id,
        name,
        roles,
        given: centsToDecimal(given.get(id) ?? 0),
        day: centsToDecimal(getRefundAllowance(storedLimits, roles).dayCents),
      })),
  }
}

type RoleContext = { asked: LimitsData['asked'][RefundingRole]; deciders: string[]; staff: SignedInStaff }

function presentRole(row: ListedLimits, { asked, deciders, staff }: RoleContext): RoleLimits {
  const { role, changed_at: at, changed_by: by } = row
  return {
    role,
    order: centsToDecimal(row.order_cents),
    day: centsToDecimal(row.day_cents),
    changed: at && by ? { at: at.toISOString(), by, approved_by: row.approved_by } : null,
    why_not: getChangeRejection(role, staff),
    asked: asked
      ? {
          by: asked.asker,
          order: centsToDecimal(asked.payload.to.orderCents),
          day: centsToDecimal(asked.payload.to.dayCents),
          left_seconds: Math.round((asked.lapses_at.getTime() - realNow().epochMilliseconds) / 1_000),
          is_own: asked.asked_by === staff.id,
          is_stale: asked.payload.from.orderCents !== row.order_cents || asked.payload.from.dayCents !== row.day_cents,
        }
      : null,
    deciders,
  }
}

function getChangeRejection(role: RefundingRole, { roles }: SignedInStaff): string | null {
  if (!roles.includes('admin')) return limitsMessages.adminsOnly
  return roles.includes(role) ? limitsMessages.oneself : null
}
