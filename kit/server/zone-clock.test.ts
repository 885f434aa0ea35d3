import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { formatLocalDateTime } from '../contract/local-date-time.ts'
import { setZoneClock } from '../contract/zone-clock.ts'
import { getZoneClock } from './zone-clock.ts'

const now = Temporal.Instant.from('2026-11-26T00:00:00Z')
const noClock = { zone: '', changes: [] }
afterEach(() => setZoneClock(noClock))

const minuteIn = (when: Date, zone: string) => {
  const text = formatLocalDateTime(when, zone)
  return `${text.slice(0, 10)} ${text.slice(11, 16)}`
}

const zones = ['Pacific/Auckland', 'Pacific/Chatham', 'Australia/Sydney', 'Australia/Brisbane', 'Australia/Adelaide']

test("a page's UTC offsets give the same local time as the time zone data, for both near and distant instants", () => {
  const minutes = fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (when, zone) => {
      setZoneClock(noClock)
      const lookedUp = minuteIn(when, zone)
      setZoneClock(getZoneClock(now, zone))
      expect(minuteIn(when, zone)).toEqual(lookedUp)
    }),
  )
})

test.each(['2026-04-04T14:00:00Z', '2026-09-26T14:00:00Z'])(
  'gives the local time around the clock change at %s to the minute',
  (at) => {
    const change = Temporal.Instant.from(at)
    const zone = 'Pacific/Auckland'
    setZoneClock(getZoneClock(now, zone))
    for (const minutes of [-1, 0, 1, 59, 60, 61]) {
      const instant = change.add({ minutes })
      const local = instant.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
      expect(minuteIn(new Date(instant.epochMilliseconds), zone)).toBe(local.replace('T', ' '))
    }
  },
)

test("local times in any zone other than the page's come from the time zone data", () => {
  setZoneClock(getZoneClock(now, 'Pacific/Auckland'))
  expect(minuteIn(new Date('2026-11-26T13:30:00Z'), 'Australia/Sydney')).toBe('2026-11-27 00:30')
})

test('formatLocalDateTime throws a RangeError for an invalid date', () => {
  setZoneClock(getZoneClock(now, 'Pacific/Auckland'))
  for (const zone of ['Pacific/Auckland', 'UTC'])
    expect(() => formatLocalDateTime(new Date('soon'), zone)).toThrow(RangeError)
})

test("a page's UTC offsets list only a few clock changes a year", () => {
  expect(getZoneClock(now, 'Pacific/Auckland').changes).toHaveLength(14)
  expect(getZoneClock(now, 'Australia/Brisbane').changes).toHaveLength(2)
})
