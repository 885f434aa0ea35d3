import { clockTime, localText } from '#kit/contract/local-text.ts'
import { dataParts, usedPercent } from '#kit/contract/plans.ts'
import type { Entitlement, UsageSummary } from '../usage.contract.ts'

type Allowance = Entitlement['totalAllowance']

export const mainOf = (entitlements: readonly Entitlement[]): Entitlement | undefined =>
  entitlements.find(({ totalAllowance: { unit } }) => isData(unit)) ?? entitlements[0]

const isData = (unit: Allowance['unit']): boolean => unit === 'GB' || unit === 'MB'

export function isDataUsedUp({ plan, addons }: UsageSummary): boolean {
  const isLeft = ({ totalAllowance: { unit }, remainingAllowance: { amount } }: Entitlement) =>
    isData(unit) && amount > 0
  const extras = addons?.filter(({ roaming }) => !roaming).flatMap(({ entitlements }) => entitlements) ?? []
  const data = plan.entitlements?.filter(({ totalAllowance: { unit } }) => isData(unit)) ?? []
  return data.length > 0 && ![...data, ...extras].some(isLeft)
}

export function allowanceParts({ amount, unit }: Allowance): { amount: string; unit: string } {
  if (unit === 'GB' && amount > 0) return dataParts(amount)
  return { amount: String(Math.round(amount * 100) / 100), unit }
}

function formatAllowance(allowance: Allowance): string {
  const { amount, unit } = allowanceParts(allowance)
  return `${amount} ${unit}`
}

export const leftOf = ({ remainingAllowance, totalAllowance }: Entitlement): string =>
  `${formatAllowance(remainingAllowance)} of ${formatAllowance(totalAllowance)} left`

export function usedOf({ remainingAllowance, totalAllowance }: Entitlement): { text: string; percent: number } {
  const used = { amount: Math.max(0, totalAllowance.amount - remainingAllowance.amount), unit: totalAllowance.unit }
  return {
    text: `${formatAllowance(used)} of ${formatAllowance(totalAllowance)}`,
    percent: usedPercent(totalAllowance.amount, remainingAllowance.amount),
  }
}

/** The elapsed part of a cycle (spec 9), from 0 to 100. */
export function daysBar(daysRemaining: number, renewalLength: number): number {
  if (!(renewalLength > 0)) return 100
  return Math.min(100, Math.max(0, 100 * (1 - daysRemaining / renewalLength)))
}

export const formatTime = (instant: string, zone: string): string => clockTime(localText(new Date(instant), zone))
