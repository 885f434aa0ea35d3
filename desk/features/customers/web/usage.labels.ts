import { splitDataAmount } from '#kit/contract/plans.ts'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { RemainingAllowance } from '../usage.contract.ts'

const splitAmountAndUnit = (amount: number, unit: string): { amount: string; unit: string } =>
  unit === 'GB' && amount > 0 ? splitDataAmount(amount) : { amount: String(Math.round(amount * 100) / 100), unit }

export function remainingLabel({ amount, total, unit }: RemainingAllowance): string {
  const [left, all] = [splitAmountAndUnit(amount, unit), splitAmountAndUnit(total, unit)]
  return `${left.amount}${left.unit === all.unit ? '' : ` ${left.unit}`} of ${all.amount} ${all.unit}`
}

export function readingAgeLabel(read: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(read)) / 1_000))
  return seconds < 60 ? 'just now' : `${durationLabel(seconds)} ago`
}
