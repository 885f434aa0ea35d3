/**
 * The product's clock, for plans, tokens and deadlines. Sessions, limits, leases and back-off use `realNow`. In the demo the product's
 * clock is ahead of real time by an offset that all processes share.
 */
export type Clock = {
  now(): Temporal.Instant
  /** Milliseconds by which the product's clock is ahead of real time. */
  offset(): number
}

/** A clock that can be moved. The caller that moves the clock also stores the offset in the database. */
export type MovableClock = Clock & { setOffset(milliseconds: number): void }

/**
 * The database's time in milliseconds, and the process's monotonic time when it was read. `null` until the first reading, as in tools and
 * in tests without a database.
 */
let realTimeReference: { databaseMs: number; ownMs: number } | null = null

/** Sets real time to the database's time `databaseMs`, read when `performance.now()` was `ownMs`. `null` returns to the host's clock. */
export function setRealTime(told: { databaseMs: number; ownMs: number } | null): void {
  realTimeReference = told
}

export const isRealTimeSet = (): boolean => realTimeReference !== null

/** Returns the time of the host's clock, which may be wrong, and may be set while the process runs. Use it only to compare clocks. */
export const hostNow = (): Temporal.Instant => Temporal.Now.instant()

/**
 * Returns real time by the database's clock, because processes compare instants that other processes have stored. With the hosts' clocks, a
 * clock that is an hour wrong would make another process take over a lease or give up a payment in progress (docs/decisions/0106).
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

/**
 * Milliseconds that the card gateway's clock is ahead of the database's; 0 unless the gateway would refuse cards because of the difference.
 */
let gatewayAheadMs = 0

export function setGatewayOffset(aheadMs: number): void {
  gatewayAheadMs = Math.round(aheadMs)
}

/**
 * Returns the time that is sent to browsers. A card is encrypted with this time, and the gateway refuses a time that is too old or in the
 * future.
 */
export const browserNow = (clock: Clock): Temporal.Instant =>
  gatewayAheadMs === 0 ? clock.now() : clock.now().add({ milliseconds: gatewayAheadMs })

/** Returns the time for browsers as text with milliseconds. `Date` formats it several times as fast as Temporal. */
export const browserNowText = (clock: Clock): string => toDate(browserNow(clock)).toISOString()

export const toDate = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds)

export const fromDate = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime())
