import { clockTime, localText } from '#kit/contract/local-text.ts'
import { dataParts, usedPercent } from '#kit/contract/plans.ts'
import type { Entitlement, UsageSummary } from '../usage.contract.ts'

type Allowance = Entitlement['totalAllowance']

/** The main entitlement of a plan: its data, or else the first entitlement. */
export const mainOf = (entitlements: readonly Entitlement[]): Entitlement | undefined =>
  entitlements.find(({ totalAllowance: { unit } }) => isData(unit)) ?? entitlements[0]

const isData = (unit: Allowance['unit']): boolean => unit === 'GB' || unit === 'MB'

/** Whether no data is left in the plan or in any domestic add-on; `false` while the network does not respond. */
export function isDataUsedUp({ plan, addons }: UsageSummary): boolean {
  const isLeft = ({ totalAllowance: { unit }, remainingAllowance: { amount } }: Entitlement) =>
    isData(unit) && amount > 0
  const extras = addons?.filter(({ roaming }) => !roaming).flatMap(({ entitlements }) => entitlements) ?? []
  const data = plan.entitlements?.filter(({ totalAllowance: { unit } }) => isData(unit)) ?? []
  return data.length > 0 && ![...data, ...extras].some(isLeft)
}

/** An amount and its unit separately. Data below 1 GB is in MB, except that 0 keeps its own unit. */
export function allowanceParts({ amount, unit }: Allowance): { amount: string; unit: string } {
  if (unit === 'GB' && amount > 0) return dataParts(amount)
  return { amount: String(Math.round(amount * 100) / 100), unit }
}

/** `'18.4 GB'`, `'88 Mins'`. */
function formatAllowance(allowance: Allowance): string {
  const { amount, unit } = allowanceParts(allowance)
  return `${amount} ${unit}`
}

/** `'18.4 GB of 25 GB left'`. */
export const leftOf = ({ remainingAllowance, totalAllowance }: Entitlement): string =>
  `${formatAllowance(remainingAllowance)} of ${formatAllowance(totalAllowance)} left`

/** The used part: `'6.6 GB of 25 GB'`, and the same as a percentage. */
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

/** The local time of an ISO 8601 instant: `'10:42 am'`. */
export const formatTime = (instant: string, zone: string): string => clockTime(localText(new Date(instant), zone))
