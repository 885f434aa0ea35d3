/**
 * The application's clock, used for plans, tokens and deadlines. Sessions, rate limits, leases and retry delays use `realNow` instead. In
 * the demo, the application's clock runs ahead of real time by an offset that all processes share.
 */
export type Clock = {
  now(): Temporal.Instant
  /** Milliseconds that the application's clock is ahead of real time. */
  offset(): number
}

/** A clock that can be moved. Code that moves the clock must also store the offset in the database. */
export type MovableClock = Clock & { setOffset(milliseconds: number): void }

/**
 * The database's time in milliseconds, and the process's monotonic time when it was read. `null` until the first reading, and in tools and
 * tests without a database.
 */
let realTimeReference: { databaseMs: number; ownMs: number } | null = null

/**
 * Sets real time from a reading of the database's clock: its time was `databaseMs` when `performance.now()` was `ownMs`. `null` switches
 * back to the host's clock.
 */
export function setRealTime(told: { databaseMs: number; ownMs: number } | null): void {
  realTimeReference = told
}

export const hasDatabaseTime = (): boolean => realTimeReference !== null

/** Returns the time on the host's clock, which may be wrong or be adjusted while the process runs. Use it only to compare clocks. */
export const hostNow = (): Temporal.Instant => Temporal.Now.instant()

/**
 * Returns real time according to the database's clock, because processes compare instants stored by other processes. If each process used
 * its own host's clock, a clock that is an hour off would make it take over another process's lease or give up a payment in progress
 * (docs/decisions/0106).
 */
export const realNow = (): Temporal.Instant =>
  realTimeReference
    ? Temporal.Instant.fromEpochMilliseconds(
        Math.floor(realTimeReference.databaseMs + performance.now() - realTimeReference.ownMs),
      )
    : hostNow()

export function createClock(offsetMs = 0): MovableClock {
  let currentOffsetMs = offsetMs
  return {
    now: () => (currentOffsetMs === 0 ? realNow() : realNow().add({ milliseconds: currentOffsetMs })),
    offset: () => currentOffsetMs,
    setOffset: (milliseconds) => {
      currentOffsetMs = milliseconds
    },
  }
}

/** Milliseconds that the card gateway's clock is ahead of the database's. 0 unless the difference would make the gateway reject cards. */
let gatewayAheadMs = 0

export function setGatewayClockOffset(aheadMs: number): void {
  gatewayAheadMs = Math.round(aheadMs)
}

/**
 * Returns the time sent to browsers. Browsers encrypt cards with this time, and the gateway rejects a time that is too old or in the
 * future.
 */
export const browserNow = (clock: Clock): Temporal.Instant =>
  gatewayAheadMs === 0 ? clock.now() : clock.now().add({ milliseconds: gatewayAheadMs })

/** Returns the browser time as text with milliseconds. `Date` formats it several times faster than Temporal. */
export const browserNowText = (clock: Clock): string => toDate(browserNow(clock)).toISOString()

export const toDate = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds)

export const fromDate = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime())
