import type { Role } from '#desk/features/staff/staff.contract.ts'

/** Cents that a person may refund without approval: of one order, and within 24 hours. */
export type AloneUpTo = { orderCents: number; dayCents: number }
export const givingRoles = ['support', 'finance'] as const satisfies readonly Role[]
export type GivingRole = (typeof givingRoles)[number]
export type RefundLimits = Readonly<Record<GivingRole, AloneUpTo>>

/** Limits of a new installation: the initial rows of the table. */
export const firstLimits: RefundLimits = {
  support: { orderCents: 1_000, dayCents: 10_000 },
  finance: { orderCents: 10_000, dayCents: 100_000 },
}

/** With several roles, the highest limit of each kind applies. */
export function limitsOf(limits: RefundLimits, roles: readonly Role[]): AloneUpTo {
  const own = givingRoles.filter((role) => roles.includes(role)).map((role) => limits[role])
  return {
    orderCents: Math.max(0, ...own.map(({ orderCents }) => orderCents)),
    dayCents: Math.max(0, ...own.map(({ dayCents }) => dayCents)),
  }
}

/** Cents that a person may still refund alone. `given` holds the cents already refunded of this order, and by this person in 24 hours. */
export const leftAlone = ({ orderCents, dayCents }: AloneUpTo, given: { ofOrder: number; ofDay: number }): number =>
  Math.max(0, Math.min(orderCents - given.ofOrder, dayCents - given.ofDay))
