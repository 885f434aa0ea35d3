/** From the market's midnight until now, and where the day ends. */
export type Day = { begins: Temporal.ZonedDateTime; now: Temporal.ZonedDateTime; ends: Temporal.ZonedDateTime }

/** Today, and the same weekday a week before at the same time on the wall. */
export function dayAt(now: Temporal.Instant, zone: string): { today: Day; before: Day } {
  const at = now.toZonedDateTimeISO(zone)
  const dayOf = (moment: Temporal.ZonedDateTime): Day => {
    const begins = moment.startOfDay()
    return { begins, now: moment, ends: begins.add({ days: 1 }) }
  }
  return { today: dayOf(at), before: dayOf(at.subtract({ weeks: 1 })) }
}

export const nameOf = ({ begins }: Pick<Day, 'begins'>): string => begins.toPlainDate().toString()

/** What of a day's end is still under way when it ends is over by then. */
const afterMidnight = { minutes: 10 }

/** The newest day that is to be written: it is ten past midnight of the next one. */
export const newestOver = (now: Temporal.Instant, zone: string): Temporal.PlainDate =>
  now.toZonedDateTimeISO(zone).subtract(afterMidnight).toPlainDate().subtract({ days: 1 })

/** When a day is to be written. */
export const writtenAt = (day: Temporal.PlainDate, zone: string): Temporal.Instant =>
  day.add({ days: 1 }).toZonedDateTime({ timeZone: zone }).add(afterMidnight).toInstant()

/** What there was in one minute of a day, counted from its midnight: a day has 1,380, 1,440 or 1,500 of them. */
export type Minute = {
  minute: number
  activated: number
  renewed: number
  /** Of the renewed. */
  by_themselves: number
  addons: number
  taken_cents: number
  given_cents: number
  /** Payments with an outcome, and those of them that were refused. */
  asked: number
  refused: number
}

const nothing: Omit<Minute, 'minute'> = {
  activated: 0,
  renewed: 0,
  by_themselves: 0,
  addons: 0,
  taken_cents: 0,
  given_cents: 0,
  asked: 0,
  refused: 0,
}

/** What minutes come to, those up to and with one; without it all of them. */
export function sumOf(minutes: readonly Minute[], until = Infinity): Omit<Minute, 'minute'> {
  const sums = { ...nothing }
  for (const each of minutes)
    if (each.minute <= until)
      for (const name of Object.keys(nothing) as (keyof typeof nothing)[]) sums[name] += each[name]
  return sums
}

/** In which minute of its day a moment is. */
export const minuteIn = ({ begins }: Pick<Day, 'begins'>, moment: Temporal.ZonedDateTime): number =>
  Math.floor((moment.epochMilliseconds - begins.epochMilliseconds) / 60_000)

/** Puts what was found into its day and its minute. Midnights are at whole minutes in every zone. */
export function sortIntoDays(days: readonly Pick<Day, 'begins' | 'ends'>[], found: readonly Minute[]): Minute[][] {
  const [first] = days
  if (!first) return []
  return days.map((day) => {
    const [from, to] = [minuteIn(first, day.begins), minuteIn(first, day.ends)]
    const minutes = new Map<number, Minute>()
    for (const each of found) {
      if (each.minute < from || each.minute >= to) continue
      const minute = each.minute - from
      minutes.set(minute, { minute, ...sumOf([minutes.get(minute) ?? { minute, ...nothing }, each]) })
    }
    return [...minutes.values()].toSorted((one, other) => one.minute - other.minute)
  })
}

export const emptyMinute = (minute: number): Minute => ({ minute, ...nothing })
