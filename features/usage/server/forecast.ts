/** A plan's data in its current cycle. The boundaries are local midnights. */
export type CycleUse = {
  totalMb: number
  leftMb: number
  cycleStartsAt: Temporal.Instant
  cycleEndsAt: Temporal.Instant
  readAt: Temporal.Instant
}

export type Verdict = 'lasts' | 'should-last' | 'may-run-out' | 'runs-out'

export type Forecast = {
  /** Average MB per day so far. */
  paceMb: number
  /** `null` early in the cycle, when only the pace is known. */
  verdict: Verdict | null
  /** MB left at the cycle's end; negative if the data runs out. */
  spareMb: number
  /** The day on which the data runs out, at most the cycle's end, and how many days before that end. */
  runsOutOn: Temporal.PlainDate
  daysEarly: number
}

/** Older readings are too unreliable for a forecast. */
const oldestReading = { hours: 6 }

/**
 * The days of a cycle, counted from 1, from which the pace and the verdict are shown. Short cycles have earlier limits.
 */
const longCycle = { pace: 3, verdict: 7 }
const shortCycle = { pace: 3, verdict: 3 }
const shortCycleDays = 10

const dayMs = 86_400_000

/**
 * Predicts how long a cycle's data lasts at the pace so far. `null` when no prediction is possible: no usage yet, no
 * data left, the first days, the last day, or an old reading. Days are in `zone`.
 */
export function forecast(use: CycleUse, { now, zone }: { now: Temporal.Instant; zone: string }): Forecast | null {
  const { totalMb, leftMb, readAt, cycleStartsAt, cycleEndsAt } = use
  const usedMb = totalMb - leftMb
  if (!(usedMb > 0) || !(leftMb > 0) || Temporal.Instant.compare(readAt.add(oldestReading), now) < 0) return null
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate()
  const [start, today, end] = [dayOf(cycleStartsAt), dayOf(now), dayOf(cycleEndsAt)]
  const from = daysFrom(start, end) <= shortCycleDays ? shortCycle : longCycle
  const day = daysFrom(start, today) + 1
  if (day < from.pace || daysFrom(today, end) <= 1) return null
  const daysToGo = realDays(readAt, cycleEndsAt)
  const { paceMb, ratio } = ratioOf({ usedMb, leftMb, daysGone: realDays(cycleStartsAt, readAt), daysToGo })
  const lastsFor = Math.min(leftMb / paceMb, daysToGo)
  const onPace = dayOf(readAt.add({ milliseconds: Math.round(lastsFor * dayMs) }))
  const runsOutOn = Temporal.PlainDate.compare(onPace, today) < 0 ? today : onPace
  return {
    paceMb,
    verdict: day < from.verdict ? null : verdictOf(ratio),
    spareMb: leftMb - paceMb * daysToGo,
    runsOutOn,
    daysEarly: daysFrom(runsOutOn, end),
  }
}

/** The pace in MB per day, and the ratio of the remaining data to the data needed for the rest of the cycle. */
export function ratioOf(use: { usedMb: number; leftMb: number; daysGone: number; daysToGo: number }): {
  paceMb: number
  ratio: number
} {
  const paceMb = use.usedMb / use.daysGone
  return { paceMb, ratio: use.leftMb / (paceMb * use.daysToGo) }
}

/** The accuracy of each verdict is in docs/decisions/0077. */
export function verdictOf(ratio: number): Verdict {
  if (ratio >= 1.5) return 'lasts'
  if (ratio >= 1) return 'should-last'
  return ratio >= 0.7 ? 'may-run-out' : 'runs-out'
}

const realDays = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / dayMs

const daysFrom = (from: Temporal.PlainDate, to: Temporal.PlainDate): number =>
  from.until(to, { largestUnit: 'days' }).days
