import { afterEach, expect, test, vi } from 'vitest'
import { createClock, hostNow, setGatewayClockOffset, setRealTime, realNow, browserNow } from './clock.ts'

afterEach(() => {
  setRealTime(null)
  setGatewayClockOffset(0)
  vi.useRealTimers()
})

const msBetween = (one: Temporal.Instant, other: Temporal.Instant) =>
  Math.abs(one.epochMilliseconds - other.epochMilliseconds)

test("real time is taken from the host's clock until the database's time is known", () => {
  expect(msBetween(realNow(), hostNow())).toBeLessThan(1_000)
  const database = Date.now() - 90_000
  setRealTime({ databaseMs: database, ownMs: performance.now() })
  expect(Math.abs(realNow().epochMilliseconds - database)).toBeLessThan(5_000)
})

test("setting the host's clock does not change the real time that the application uses", () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T00:00:00Z') })
  setRealTime({ databaseMs: Date.now(), ownMs: performance.now() })
  vi.setSystemTime(new Date('2026-11-24T02:00:00Z'))
  expect(msBetween(realNow(), Temporal.Instant.from('2026-11-24T00:00:00Z'))).toBeLessThan(60_000)
})

test("the demo's clock runs ahead of real time, and the time sent to browsers also includes the gateway clock's offset", () => {
  const clock = createClock(3_600_000)
  setRealTime({ databaseMs: Date.UTC(2026, 10, 24), ownMs: performance.now() })
  expect(msBetween(clock.now(), Temporal.Instant.from('2026-11-24T01:00:00Z'))).toBeLessThan(5_000)
  setGatewayClockOffset(-600_000.25)
  expect(msBetween(browserNow(clock), Temporal.Instant.from('2026-11-24T00:50:00Z'))).toBeLessThan(5_000)
})
