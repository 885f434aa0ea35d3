export type PlanShape = {
  /** Length of the plan in days. */
  length: number
  /** Data included in each cycle of the plan, in GB; `null` or 0 for a plan without data. */
  data_gb: number | null
}

/** Converts a plan's price to the equivalent price for 30 days, both in cents, rounding half a cent up. */
export function computePricePer30Days(cents: number, lengthDays: number): number {
  return Math.floor((2 * cents * 30 + lengthDays) / (2 * lengthDays))
}

/** Converts a plan's price to the average price per month, both in cents: price ÷ days × 365 ÷ 12, rounding half a cent up. */
export function monthlyAverage(cents: number, lengthDays: number): number {
  return Math.floor((2 * cents * 365 + 12 * lengthDays) / (2 * 12 * lengthDays))
}

export const getPer30DaysLabel = (lengthDays: number): string => (lengthDays === 30 ? 'for 30 days' : 'per 30 days')

/** Length of a data cycle in days. A plan's last cycle ends when the plan does. */
export const cycleLengthDays = 30

export const getCycleCount = (lengthDays: number): number => Math.max(1, Math.round((lengthDays / 365) * 12))

export const formatDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

export const computeTotalDataGb = (plan: PlanShape): number => (plan.data_gb ?? 0) * getCycleCount(plan.length)

/** Label for a plan's total data across all its cycles. Returns `null` if the plan has no data or only one cycle. */
export const getTotalDataLabel = (plan: PlanShape): string | null =>
  plan.data_gb && getCycleCount(plan.length) > 1 ? `${formatDataAmount(computeTotalDataGb(plan))} in all` : null

export function getTotalAndCycleDataLabel(plan: PlanShape): string | null {
  const all = getTotalDataLabel(plan)
  return all && `${all}, ${formatDataAmount(plan.data_gb ?? 0)} at a time`
}

/** Splits an amount of data into a number and a unit: GB with up to two decimal places, or whole MB below 1 GB. */
export function splitDataAmount(gb: number): { amount: string; unit: 'GB' | 'MB' } {
  const mb = Math.round(gb * 1000)
  if (mb < 1000) return { amount: String(mb), unit: 'MB' }
  return { amount: String(Math.round(gb * 100) / 100), unit: 'GB' }
}

export function formatDataAmount(gb: number): string {
  const { amount, unit } = splitDataAmount(gb)
  return `${amount} ${unit}`
}

/** Names a plan by its data, or by its title if it has no data. */
export const getPlanDataOrTitle = ({ title, data_gb }: { title: string; data_gb: number }): string =>
  data_gb > 0 ? formatDataAmount(data_gb) : title

export function computeUsedPercent(total: number, remaining: number): number {
  if (!(total > 0)) return 0
  return Math.min(100, Math.max(0, ((total - remaining) / total) * 100))
}
