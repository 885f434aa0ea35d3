import type { ZoneClock } from '../contract/zone-clock.ts'

const coveredYears = { before: 3, after: 2 }

const cachedClocks = new Map<string, ZoneClock>()

export function getZoneClock(now: Temporal.Instant, zone: string): ZoneClock {
  const year = new Date(now.epochMilliseconds).getUTCFullYear()
  const key = `${zone} ${year}`
  const clock = cachedClocks.get(key) ?? buildZoneClock(zone, year - coveredYears.before, year + coveredYears.after + 1)
  cachedClocks.set(key, clock)
  return clock
}

function buildZoneClock(zone: string, fromYear: number, toYear: number): ZoneClock {
  const getStartOfYear = (year: number) => Temporal.Instant.from(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`)
  const until = getStartOfYear(toYear).epochMilliseconds
  const offsetChanges: ZoneClock['changes'] = []
  let at: Temporal.ZonedDateTime | null = getStartOfYear(fromYear).toZonedDateTimeISO(zone)
  while (at && at.epochMilliseconds < until) {
    offsetChanges.push([at.epochMilliseconds, at.offsetNanoseconds / 1e6])
    at = at.getTimeZoneTransition('next')
  }
  return { zone, changes: [...offsetChanges, [until, null]] }
}
