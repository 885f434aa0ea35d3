import { daysBetween, addDays } from './days.ts'
import { cycleDays, cycleCountOf } from './plans.ts'

/** A plan in progress. Its days are `YYYY-MM-DD` in the market's zone. */
type RunningPlan = {
  startsOn: string
  /** The plan ends at the beginning of this day. */
  endsOn: string
  dataGb: number
}

export type RemainingPlan = {
  /** Days left of the plan, from today to its last day, both included. */
  days: number
  /** Data left of the current cycle in GB; `null` while it is not known. */
  left: number | null
  /**
   * Cycles of the plan that have not begun: their number, the data of each in GB, and the first day of the first; `null` if there are none.
   */
  toCome: { times: number; gb: number; on: string } | null
  /** All of the plan's remaining data in GB; `null` while the data left of the current cycle is not known. */
  gb: number | null
}

export function remainingPlanOf(
  { startsOn, endsOn, dataGb }: RunningPlan,
  today: string,
  left: number | null,
): RemainingPlan {
  const days = Math.max(0, daysBetween(today, endsOn))
  const cycles = cycleCountOf(daysBetween(startsOn, endsOn))
  const cycleStarts = Array.from({ length: cycles }, (_, cycle) => addDays(startsOn, cycleDays * cycle))
  const [on, ...later] = cycleStarts.filter((day) => day > today)
  const toCome = on !== undefined && days > 0 && dataGb > 0 ? { times: later.length + 1, gb: dataGb, on } : null
  return { days, left, toCome, gb: left === null ? null : left + (toCome ? toCome.gb * toCome.times : 0) }
}
