import type { Role } from '#desk/features/staff/staff.contract.ts'

/** How much a person may give back without another, in cents: of one order, and within 24 hours. */
export type AloneUpTo = { orderCents: number; dayCents: number }

const aloneUpTo: Record<Role, AloneUpTo> = {
  support: { orderCents: 1_000, dayCents: 10_000 },
  finance: { orderCents: 10_000, dayCents: 100_000 },
  admin: { orderCents: 0, dayCents: 0 },
}

/** Roles add up: the widest of them counts. */
export const limitsOf = (roles: readonly Role[]): AloneUpTo => ({
  orderCents: Math.max(0, ...roles.map((role) => aloneUpTo[role].orderCents)),
  dayCents: Math.max(0, ...roles.map((role) => aloneUpTo[role].dayCents)),
})

/** What is left to give back alone, of an order of which so much is given, by who gave so much in the last 24 hours. */
export const leftAlone = ({ orderCents, dayCents }: AloneUpTo, given: { ofOrder: number; ofDay: number }): number =>
  Math.max(0, Math.min(orderCents - given.ofOrder, dayCents - given.ofDay))
