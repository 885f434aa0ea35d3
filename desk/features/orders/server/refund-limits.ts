import type { Role } from '#desk/features/staff/staff.contract.ts'

export type AloneUpTo = { orderCents: number; dayCents: number }
export const givingRoles = ['support', 'finance'] as const satisfies readonly Role[]
export type GivingRole = (typeof givingRoles)[number]
export type RefundLimits = Readonly<Record<GivingRole, AloneUpTo>>

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

export const leftAlone = ({ orderCents, dayCents }: AloneUpTo, given: { ofOrder: number; ofDay: number }): number =>
  Math.max(0, Math.min(orderCents - given.ofOrder, dayCents - given.ofDay))
