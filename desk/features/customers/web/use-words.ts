import { dataParts } from '#kit/contract/plans.ts'
import { spanWords } from '#desk/features/staff/web/span-words.ts'
import type { Left } from '../use.contract.ts'

const partsOf = (amount: number, unit: string): { amount: string; unit: string } =>
  unit === 'GB' && amount > 0 ? dataParts(amount) : { amount: String(Math.round(amount * 100) / 100), unit }

export function leftWords({ amount, total, unit }: Left): string {
  const [left, all] = [partsOf(amount, unit), partsOf(total, unit)]
  return `${left.amount}${left.unit === all.unit ? '' : ` ${left.unit}`} of ${all.amount} ${all.unit}`
}

export function readWords(read: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(read)) / 1_000))
  return seconds < 60 ? 'just now' : `${spanWords(seconds)} ago`
}
