/** What is known of a plan's data in its present cycle. The boundaries are local midnights. */
export type CycleUse = {
  totalMb: number
  leftMb: number
  cycleStartsAt: Temporal.Instant
  cycleEndsAt: Temporal.Instant
  /** When the network was asked. */
  readAt: Temporal.Instant
}

export type Verdict = 'lasts' | 'should-last' | 'may-run-out' | 'runs-out'

export type Forecast = {
  /** MB a day, so far. */
  paceMb: number
  /** Null: it is too early in the cycle to say more than the pace. */
  verdict: Verdict | null
  /** MB that would be left at the cycle's end; less than nothing when they do not last. */
  spareMb: number
  /** The day on which nothing would be left, which is the cycle's end at most, and how many days before that end it is. */
  runsOutOn: Temporal.PlainDate
  daysEarly: number
}

/** What the network said before that says too little. */
const oldestReading = { hours: 6 }

/** The days of a cycle, its first being 1, from which on its pace is told, and whether that is little enough. */
const longCycle = { pace: 3, verdict: 7 }
const shortCycle = { pace: 3, verdict: 3 }
const shortCycleDays = 10

const dayMs = 86_400_000

/**
 * How long a cycle's data lasts when it goes on as so far. Null where nothing can be said: no use yet, nothing left, the first days
 * and the last one, and when the network's word is old. Days are the zone's.
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

/** The pace so far, in MB a day, and how often what is left would do for the rest of the cycle at it. */
export function ratioOf(use: { usedMb: number; leftMb: number; daysGone: number; daysToGo: number }): {
  paceMb: number
  ratio: number
} {
  const paceMb = use.usedMb / use.daysGone
  return { paceMb, ratio: use.leftMb / (paceMb * use.daysToGo) }
}

/** How often each was right is in docs/decisions/0077. */
export function verdictOf(ratio: number): Verdict {
  if (ratio >= 1.5) return 'lasts'
  if (ratio >= 1) return 'should-last'
  return ratio >= 0.7 ? 'may-run-out' : 'runs-out'
}

const realDays = (from: Temporal.Instant, to: Temporal.Instant): number =>
  (to.epochMilliseconds - from.epochMilliseconds) / dayMs

const daysFrom = (from: Temporal.PlainDate, to: Temporal.PlainDate): number =>
  from.until(to, { largestUnit: 'days' }).days
