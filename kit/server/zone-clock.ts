import type { ZoneClock } from '../contract/zone-clock.ts'

/** What pages show lies in these years but for old documents, whose days a browser looks up by itself. */
const years = { before: 3, after: 2 }

/** One for each zone and year that is asked for. */
const made = new Map<string, ZoneClock>()

/** How a zone's clock goes some years around an instant, for a page that is made then. */
export function zoneClockAround(now: Temporal.Instant, zone: string): ZoneClock {
  const year = new Date(now.epochMilliseconds).getUTCFullYear()
  const key = `${zone} ${year}`
  const clock = made.get(key) ?? zoneClockOf(zone, year - years.before, year + years.after + 1)
  made.set(key, clock)
  return clock
}

/** From the first instant of a year of UTC to that of another. */
function zoneClockOf(zone: string, fromYear: number, toYear: number): ZoneClock {
  const newYear = (year: number) => Temporal.Instant.from(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`)
  const until = newYear(toYear).epochMilliseconds
  const changes: ZoneClock['changes'] = []
  let at: Temporal.ZonedDateTime | null = newYear(fromYear).toZonedDateTimeISO(zone)
  while (at && at.epochMilliseconds < until) {
    changes.push([at.epochMilliseconds, at.offsetNanoseconds / 1e6])
    at = at.getTimeZoneTransition('next')
  }
  return { zone, changes: [...changes, [until, null]] }
}
