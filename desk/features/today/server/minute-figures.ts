/** A day in the market's time zone: its midnight, the current time, and its end. */
export type Day = { begins: Temporal.ZonedDateTime; now: Temporal.ZonedDateTime; ends: Temporal.ZonedDateTime }

export function dayAt(now: Temporal.Instant, zone: string): { today: Day; before: Day } {
  const at = now.toZonedDateTimeISO(zone)
  const dayOf = (moment: Temporal.ZonedDateTime): Day => {
    const dayStart = moment.startOfDay()
    return { begins: dayStart, now: moment, ends: dayStart.add({ days: 1 }) }
  }
  return { today: dayOf(at), before: dayOf(at.subtract({ weeks: 1 })) }
}

export const toIsoDate = ({ begins }: Pick<Day, 'begins'>): string => begins.toPlainDate().toString()

/** How long after midnight a day's figures are written. By then, orders and payments that were in progress at midnight have finished. */
const dayFiguresDelay = { minutes: 10 }

export const getLastFinishedDay = (now: Temporal.Instant, zone: string): Temporal.PlainDate =>
  now.toZonedDateTimeISO(zone).subtract(dayFiguresDelay).toPlainDate().subtract({ days: 1 })

export const getDayFiguresDueTime = (day: Temporal.PlainDate, zone: string): Temporal.Instant =>
  day.add({ days: 1 }).toZonedDateTime({ timeZone: zone }).add(dayFiguresDelay).toInstant()

/** The figures for one minute. `minute` counts from the day's midnight. A day has 1,380, 1,440 or 1,500 minutes. */
export type MinuteFigures = {
  minute: number
  activated: number
  renewed: number
  /** Number of automatic renewals; `renewed` includes them. */
  by_themselves: number
  addons: number
  taken_cents: number
  given_cents: number
  /** `asked` counts payments with an outcome, and `refused` counts those that were refused. */
  asked: number
  refused: number
}

const zeroCounts: Omit<MinuteFigures, 'minute'> = {
  activated: 0,
  renewed: 0,
  by_themselves: 0,
  addons: 0,
  taken_cents: 0,
  given_cents: 0,
  asked: 0,
  refused: 0,
}

export function sumMinuteFigures(minutes: readonly MinuteFigures[], until = Infinity): Omit<MinuteFigures, 'minute'> {
  const sums = { ...zeroCounts }
  for (const each of minutes)
    if (each.minute <= until)
      for (const name of Object.keys(zeroCounts) as (keyof typeof zeroCounts)[]) sums[name] += each[name]
  return sums
}

export const getMinuteOfDay = ({ begins }: Pick<Day, 'begins'>, moment: Temporal.ZonedDateTime): number =>
  Math.floor((moment.epochMilliseconds - begins.epochMilliseconds) / 60_000)

/** Groups minutes, which are counted from the first day's midnight, by day. Midnights fall on whole minutes in every time zone. */
export function groupByDay(
  days: readonly Pick<Day, 'begins' | 'ends'>[],
  found: readonly MinuteFigures[],
): MinuteFigures[][] {
  const [first] = days
  if (!first) return []
  return days.map((day) => {
    const [from, to] = [getMinuteOfDay(first, day.begins), getMinuteOfDay(first, day.ends)]
    const minutes = new Map<number, MinuteFigures>()
    for (const each of found) {
      if (each.minute < from || each.minute >= to) continue
      const minute = each.minute - from
      minutes.set(minute, { minute, ...sumMinuteFigures([minutes.get(minute) ?? { minute, ...zeroCounts }, each]) })
    }
    return [...minutes.values()].toSorted((one, other) => one.minute - other.minute)
  })
}

export const createEmptyMinute = (minute: number): MinuteFigures => ({ minute, ...zeroCounts })
