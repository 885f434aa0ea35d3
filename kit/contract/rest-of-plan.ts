import { daysBetween, plusDays } from './days.ts'
import { cycleDays, cyclesOf } from './plans.ts'

/** A plan that runs. Days are `YYYY-MM-DD` in the market's zone. */
type RunningPlan = {
  /** Its first day. */
  startsOn: string
  /** The day at whose beginning it ends. */
  endsOn: string
  /** GB of each cycle. */
  dataGb: number
}

/** What is still to come of a plan: what a next one that begins at once takes its place of. */
export type RestOfPlan = {
  /** From today to the last day, both included. */
  days: number
  /** GB left of the present cycle; null while that is not known. */
  left: number | null
  /** Cycles that have not begun: how many, the GB of each, and the day of the first. */
  toCome: { times: number; gb: number; on: string } | null
  /** All of its data, in GB; null while it is not known what is left. */
  gb: number | null
}

/** What a plan still holds on a day. Of the data, what is left today alone would hide most of it on a long plan. */
export function restOfPlan({ startsOn, endsOn, dataGb }: RunningPlan, today: string, left: number | null): RestOfPlan {
  const days = Math.max(0, daysBetween(today, endsOn))
  const cycles = cyclesOf(daysBetween(startsOn, endsOn))
  const beginnings = Array.from({ length: cycles }, (_, cycle) => plusDays(startsOn, cycleDays * cycle))
  const [on, ...later] = beginnings.filter((day) => day > today)
  const toCome = on !== undefined && days > 0 && dataGb > 0 ? { times: later.length + 1, gb: dataGb, on } : null
  return { days, left, toCome, gb: left === null ? null : left + (toCome ? toCome.gb * toCome.times : 0) }
}
