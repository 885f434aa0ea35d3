import type { Role } from '#desk/features/staff/staff.contract.ts'

/** How much a person may give back without another, in cents: of one order, and within 24 hours. */
export type AloneUpTo = { orderCents: number; dayCents: number }
/** Roles that give anything back. */
export const givingRoles = ['support', 'finance'] as const satisfies readonly Role[]
export type GivingRole = (typeof givingRoles)[number]
export type RefundLimits = Readonly<Record<GivingRole, AloneUpTo>>

/** As the product comes: the first rows of the table. */
export const firstLimits: RefundLimits = {
  support: { orderCents: 1_000, dayCents: 10_000 },
  finance: { orderCents: 10_000, dayCents: 100_000 },
}

/** Roles add up: the widest of them counts. */
export function limitsOf(limits: RefundLimits, roles: readonly Role[]): AloneUpTo {
  const own = givingRoles.filter((role) => roles.includes(role)).map((role) => limits[role])
  return {
    orderCents: Math.max(0, ...own.map(({ orderCents }) => orderCents)),
    dayCents: Math.max(0, ...own.map(({ dayCents }) => dayCents)),
  }
}

/** What is left to give back alone, of an order of which so much is given, by who gave so much in the last 24 hours. */
export const leftAlone = ({ orderCents, dayCents }: AloneUpTo, given: { ofOrder: number; ofDay: number }): number =>
  Math.max(0, Math.min(orderCents - given.ofOrder, dayCents - given.ofDay))
