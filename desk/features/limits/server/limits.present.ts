import { toWire } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import {
  type GivingRole,
  givingRoles,
  limitsOf,
  type RefundLimits,
} from '#desk/features/orders/server/refund-limits.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type Limits, limitsMessages, type RoleLimits } from '../limits.contract.ts'
import type { limitsFor } from './limits.ts'
import type { ListedLimits } from './limits.view.ts'

type Read = Awaited<ReturnType<typeof limitsFor>>

export function presentLimits({ limits, asked, people, given, deciders }: Read, staff: SignedInStaff): Limits {
  const byRole = new Map(limits.map((row) => [row.role, row]))
  const rows = givingRoles.flatMap((role) => byRole.get(role) ?? [])
  const kept = Object.fromEntries(
    rows.map(({ role, order_cents, day_cents }) => [role, { orderCents: order_cents, dayCents: day_cents }]),
  ) as RefundLimits
  return {
    roles: rows.map((row) => presentRole(row, { asked: asked[row.role], deciders: deciders[row.role], staff })),
    people: people
      .filter(({ roles }) => givingRoles.some((role) => roles.includes(role)))
      .map(({ id, name, roles }) => ({
        id,
        name,
        roles,
        given: toWire(given.get(id) ?? 0),
        day: toWire(limitsOf(kept, roles).dayCents),
      })),
  }
}

type About = { asked: Read['asked'][GivingRole]; deciders: string[]; staff: SignedInStaff }

function presentRole(row: ListedLimits, { asked, deciders, staff }: About): RoleLimits {
  const { role, changed_at: at, changed_by: by } = row
  return {
    role,
    order: toWire(row.order_cents),
    day: toWire(row.day_cents),
    changed: at && by ? { at: at.toISOString(), by, approved_by: row.approved_by } : null,
    why_not: staff.roles.includes(role) ? limitsMessages.oneself : null,
    asked: asked
      ? {
          by: asked.asker,
          order: toWire(asked.payload.to.orderCents),
          day: toWire(asked.payload.to.dayCents),
          left_seconds: Math.round((asked.lapses_at.getTime() - realNow().epochMilliseconds) / 1_000),
          is_own: asked.asked_by === staff.id,
          is_stale: asked.payload.from.orderCents !== row.order_cents || asked.payload.from.dayCents !== row.day_cents,
        }
      : null,
    deciders,
  }
}
