import type { UsageRecord } from '#providers/network/usage.port.ts'
import type { CycleUse } from './cycle-usage.store.ts'

/** Networks round: who has a thousandth of the data left has none that can be used. */
const asGoodAsAll = 0.999

/** What came to be used of a plan that gives so much: all data, whichever allowance it went from. `records` are oldest first. */
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
