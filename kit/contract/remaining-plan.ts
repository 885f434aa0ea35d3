import { daysBetween, addDays } from './days.ts'
import { cycleLengthDays, getCycleCount } from './plans.ts'

/** A plan in progress. Days are `YYYY-MM-DD` in the market's time zone. */
type RunningPlan = {
  startsOn: string
  /** The plan ends at the start of this day. */
  endsOn: string
  dataGb: number
}

export type RemainingPlan = {
  /** Days left in the plan, counting both today and the last day. */
  days: number
  /** Data left in the current cycle, in GB; `null` if unknown. */
  left: number | null
  /**
   * Cycles that have not started yet: how many there are, the data in each in GB, and the day the first one starts. `null` if there are
   * none or the plan has no data.
   */
  toCome: { times: number; gb: number; on: string } | null
  /** Total data left in the plan, in GB; `null` if the data left in the current cycle is unknown. */
  gb: number | null
}

export function computeRemainingPlan(
  { startsOn, endsOn, dataGb }: RunningPlan,
  today: string,
  left: number | null,
): RemainingPlan {
  const days = Math.max(0, daysBetween(today, endsOn))
  const cycles = getCycleCount(daysBetween(startsOn, endsOn))
  const cycleStarts = Array.from({ length: cycles }, (_, cycle) => addDays(startsOn, cycleLengthDays * cycle))
  const [on, ...later] = cycleStarts.filter((day) => day > today)
  const upcomingCycles = on !== undefined && days > 0 && dataGb > 0 ? { times: later.length + 1, gb: dataGb, on } : null
  return {
    days,
    left,
    toCome: upcomingCycles,
    gb: left === null ? null : left + (upcomingCycles ? upcomingCycles.gb * upcomingCycles.times : 0),
  }
}
