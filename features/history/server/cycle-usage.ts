import type { UsageRecord } from '#providers/network/usage.port.ts'
import type { CycleUsage } from './cycle-usage.store.ts'

/** The share of a plan's data at which the data counts as used up. Networks round what remains, and nobody can use the last thousandth. */
const usedUpRatio = 0.999

/** Adds up a cycle's usage records. `records` must be sorted from oldest to newest; `dataGb` is the plan's data per cycle. */
export function sumUsage(records: readonly UsageRecord[], dataGb: number): CycleUsage {
  const usedUpMb = dataGb * 1000 * usedUpRatio
  let totalUsedMb = 0
  let ranOutAt: Temporal.Instant | null = null
  for (const { type, amount, at } of records) {
    if (type !== 'data') continue
    totalUsedMb += amount
    if (!ranOutAt && dataGb > 0 && totalUsedMb >= usedUpMb) ranOutAt = Temporal.Instant.from(at)
  }
  return { usedMb: Math.round(totalUsedMb), ranOutAt }
}
