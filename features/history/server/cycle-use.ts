import type { UsageRecord } from '#providers/network/usage.port.ts'
import type { CycleUse } from './cycle-usage.store.ts'

/**
 * Networks round the remaining data, and a remaining thousandth cannot be used. A usage of 99.9 percent therefore
 * counts as all.
 */
const asGoodAsAll = 0.999

/** `records` are oldest first; `dataGb` is the plan's data per cycle. */
export function usedIn(records: readonly UsageRecord[], dataGb: number): CycleUse {
  const enough = dataGb * 1000 * asGoodAsAll
  let used = 0
  let ranOutAt: Temporal.Instant | null = null
  for (const { type, amount, at } of records) {
    if (type !== 'data') continue
    used += amount
    if (!ranOutAt && dataGb > 0 && used >= enough) ranOutAt = Temporal.Instant.from(at)
  }
  return { usedMb: Math.round(used), ranOutAt }
}
