import type { Role } from '#desk/features/staff/staff.contract.ts'

export type RefundAllowance = { orderCents: number; dayCents: number }
export const refundingRoles = ['support', 'finance'] as const satisfies readonly Role[]
export type RefundingRole = (typeof refundingRoles)[number]
export type RefundLimits = Readonly<Record<RefundingRole, RefundAllowance>>

export const defaultLimits: RefundLimits = {
  support: { orderCents: 1_000, dayCents: 10_000 },
  finance: { orderCents: 10_000, dayCents: 100_000 },
}

/** Returns a staff member's refund limits. If they have several roles, the highest limit of each kind applies. */
export function getRefundAllowance(limits: RefundLimits, roles: readonly Role[]): RefundAllowance {
  const own = refundingRoles.filter((role) => roles.includes(role)).map((role) => limits[role])
  return {
    orderCents: Math.max(0, ...own.map(({ orderCents }) => orderCents)),
    dayCents: Math.max(0, ...own.map(({ dayCents }) => dayCents)),
  }
}

export const remainingAllowance = (
  { orderCents, dayCents }: RefundAllowance,
  given: { ofOrder: number; ofDay: number },
): number => Math.max(0, Math.min(orderCents - given.ofOrder, dayCents - given.ofDay))
