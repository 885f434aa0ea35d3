import { splitDataAmount, computeUsedPercent } from '#kit/contract/plans.ts'
import type { Entitlement, OwnedAddOn, UsageSummary } from '../usage.contract.ts'

type Allowance = Entitlement['totalAllowance']

export const findMainEntitlement = (entitlements: readonly Entitlement[]): Entitlement | undefined =>
  entitlements.find(({ totalAllowance: { unit } }) => isDataUnit(unit)) ?? entitlements[0]

const isDataUnit = (unit: Allowance['unit']): boolean => unit === 'GB' || unit === 'MB'

/** Whether an add-on is used in other countries. Add-ons for international calls and texts have no data and are used at home. */
export const isUsedAbroad = ({ roaming, entitlements }: OwnedAddOn): boolean =>
  roaming && entitlements.some(({ totalAllowance: { unit } }) => isDataUnit(unit))

export function isDataUsedUp({ plan, addons }: UsageSummary): boolean {
  const hasRemainingData = ({ totalAllowance: { unit }, remainingAllowance: { amount } }: Entitlement) =>
    isDataUnit(unit) && amount > 0
  const addOnEntitlements = addons?.filter(({ roaming }) => !roaming).flatMap(({ entitlements }) => entitlements) ?? []
  const data = plan.entitlements?.filter(({ totalAllowance: { unit } }) => isDataUnit(unit)) ?? []
  return data.length > 0 && ![...data, ...addOnEntitlements].some(hasRemainingData)
}

export function splitAllowance({ amount, unit }: Allowance): { amount: string; unit: string } {
  if (unit === 'GB' && amount > 0) return splitDataAmount(amount)
  return { amount: String(Math.round(amount * 100) / 100), unit }
}

function formatAllowance(allowance: Allowance): string {
  const { amount, unit } = splitAllowance(allowance)
  return `${amount} ${unit}`
}

export const getRemainingLabel = ({ remainingAllowance, totalAllowance }: Entitlement): string =>
  `${formatAllowance(remainingAllowance)} of ${formatAllowance(totalAllowance)} left`

export function getUsedPart({ remainingAllowance, totalAllowance }: Entitlement): { text: string; percent: number } {
  const used = { amount: Math.max(0, totalAllowance.amount - remainingAllowance.amount), unit: totalAllowance.unit }
  return {
    text: `${formatAllowance(used)} of ${formatAllowance(totalAllowance)}`,
    percent: computeUsedPercent(totalAllowance.amount, remainingAllowance.amount),
  }
}

/** The elapsed part of a plan's cycle in per cent, from 0 to 100 (spec 9). */
export function computeElapsedPercent(daysRemaining: number, renewalLength: number): number {
  if (!(renewalLength > 0)) return 100
  return Math.min(100, Math.max(0, 100 * (1 - daysRemaining / renewalLength)))
}
