/**
 * The product's clock. Plans, tokens and deadlines ask it; sessions, limits, leases and back-off use `realNow`.
 * In the demo it runs ahead of real time by an offset that everybody shares.
 */
export type Clock = {
  now(): Temporal.Instant
  /** Milliseconds the clock runs ahead of real time. */
  offset(): number
}

/** A clock that can be moved: the demo's. The offset lives in the database; what moves it also writes it there. */
export type MovableClock = Clock & { setOffset(milliseconds: number): void }

/**
 * What the database's clock said, and when that was by the process's own time, which nobody sets. Null until it was asked: tests
 * without a database, and tools.
 */
let learnt: { databaseMs: number; ownMs: number } | null = null

/** From now on real time is the database's, which said this at that moment of `performance.now()`; `null`: the host's again. */
export function learnRealTime(told: { databaseMs: number; ownMs: number } | null): void {
  learnt = told
}

/** Whether real time is the database's already. */
export const isRealTimeLearnt = (): boolean => learnt !== null

/** The host's clock, which may be wrong, and may be set while the process runs. For those that compare clocks. */
export const hostNow = (): Temporal.Instant => Temporal.Now.instant()

/**
 * Real time. It is the database's, for what one process writes down another compares with its own: an hour on one host's clock
 * that is not on another's would be a lease that is taken over, or a payment given up, in the middle of it (docs/decisions/0071).
 */
export const realNow = (): Temporal.Instant =>
  learnt
    ? Temporal.Instant.fromEpochMilliseconds(Math.floor(learnt.databaseMs + performance.now() - learnt.ownMs))
    : hostNow()

export function createClock(offsetMs = 0): MovableClock {
  let ahead = offsetMs
  return {
    now: () => (ahead === 0 ? realNow() : realNow().add({ milliseconds: ahead })),
    offset: () => ahead,
    setOffset: (milliseconds) => {
      ahead = milliseconds
    },
  }
}

/** How far the card gateway's clock is ahead of the database's, where that is so much that it would refuse cards. */
let gatewayAheadMs = 0

export function learnGatewayTime(aheadMs: number): void {
  // Temporal adds whole ones only.
  gatewayAheadMs = Math.round(aheadMs)
}

/** What a browser is told: a card is encrypted under that time, and it is the gateway that finds it too old or not yet made. */
export const toldNow = (clock: Clock): Temporal.Instant =>
  gatewayAheadMs === 0 ? clock.now() : clock.now().add({ milliseconds: gatewayAheadMs })

/** The same as text with milliseconds, which a Date writes several times as fast. */
export const toldText = (clock: Clock): string => toDate(toldNow(clock)).toISOString()

/** For the database driver, which speaks Date. */
export const toDate = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds)

export const fromDate = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime())
