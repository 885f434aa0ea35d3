/** How much data a plan has used in its current cycle. The cycle starts and ends at local midnight. */
export type CycleUsage = {
  totalMb: number
  leftMb: number
  cycleStartsAt: Temporal.Instant
  cycleEndsAt: Temporal.Instant
  readAt: Temporal.Instant
}

export type ForecastVerdict = 'lasts' | 'should-last' | 'may-run-out' | 'runs-out'

export type Forecast = {
  /** Average data usage so far, in MB per day. */
  paceMb: number
  /** `null` early in the cycle, when there is a pace but no verdict yet. */
  verdict: ForecastVerdict | null
  /** MB expected to be left at the cycle's end; negative if the data runs out early. */
  spareMb: number
  /** The day on which the data runs out, no later than the day the cycle ends, and how many days early that is. */
  runsOutOn: Temporal.PlainDate
  daysEarly: number
}

/** Usage readings older than this are too unreliable for a forecast. */
const maxReadingAge = { hours: 6 }

/**
 * The day of a cycle, counted from 1, on which the pace and the verdict first appear. Short cycles show the verdict
 * earlier.
 */
const longCycleMinDays = { pace: 3, verdict: 7 }
const shortCycleMinDays = { pace: 3, verdict: 3 }
const maxShortCycleDays = 10

const dayMs = 86_400_000

/**
 * Predicts how long a cycle's data will last at the current pace. Returns `null` if no prediction is possible: without
 * usage or remaining data, in the first days, on the last day, or with an old reading. Days are local to `zone`.
 */
export function createForecast(
  use: CycleUsage,
  { now, zone }: { now: Temporal.Instant; zone: string },
): Forecast | null {
  const { totalMb, leftMb, readAt, cycleStartsAt, cycleEndsAt } = use
  const usedMb = totalMb - leftMb
  if (!(usedMb > 0) || !(leftMb > 0) || Temporal.Instant.compare(readAt.add(maxReadingAge), now) < 0) return null
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate()
  const [start, today, end] = [dayOf(cycleStartsAt), dayOf(now), dayOf(cycleEndsAt)]
  const minDays = calendarDaysBetween(start, end) <= maxShortCycleDays ? shortCycleMinDays : longCycleMinDays
  const cycleDay = calendarDaysBetween(start, today) + 1
  if (cycleDay < minDays.pace || calendarDaysBetween(today, end) <= 1) return null
  const daysRemaining = exactDaysBetween(readAt, cycleEndsAt)
  const { paceMb, ratio } = computePaceAndRatio({
    usedMb,
    leftMb,
    daysGone: exactDaysBetween(cycleStartsAt, readAt),
    daysToGo: daysRemaining,
  })
  const daysOfData = Math.min(leftMb / paceMb, daysRemaining)
  const projectedEnd = dayOf(readAt.add({ milliseconds: Math.round(daysOfData * dayMs) }))
  const runsOutOn = Temporal.PlainDate.compare(projectedEnd, today) < 0 ? today : projectedEnd
  return {
    paceMb,
    verdict: cycleDay < minDays.verdict ? null : toVerdict(ratio),
    spareMb: leftMb - paceMb * daysRemaining,
    runsOutOn,
    daysEarly: calendarDaysBetween(runsOutOn, end),
  }
}

/** Returns the pace in MB per day, and the remaining data as a ratio of the data needed for the rest of the cycle. */
export function computePaceAndRatio(use: { usedMb: number; leftMb: number; daysGone: number; daysToGo: number }): {
  paceMb: number
  ratio: number
} {
  const paceMb = use.usedMb / use.daysGone
  return { paceMb, ratio: use.leftMb / (paceMb * use.daysToGo) }
}

/** The accuracy of each forecast verdict is documented in docs/decisions/0077. */
export function toVerdict(ratio: number): ForecastVerdict {
  if (ratio >= 1.5) return 'lasts'
  if (ratio >= 1) return 'should-last'
  return ratio >= 0.7 ? 'may-run-out' : 'runs-out'
}

const exactDaysBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / dayMs

const calendarDaysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate): number =>
  from.until(to, { largestUnit: 'days' }).days
