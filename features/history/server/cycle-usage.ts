import type { UsageRecord } from '#providers/network/usage.port.ts'
import type { CycleUsage } from './cycle-usage.store.ts'

/**
 * Networks round the remaining data, and a remaining thousandth cannot be used. A usage of 99.9 percent therefore
 * counts as all.
 */
const usedUpRatio = 0.999

/** `records` are oldest first; `dataGb` is the plan's data per cycle. */
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
