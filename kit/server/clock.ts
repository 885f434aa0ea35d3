/**
 * The product's clock. Plans, tokens and deadlines ask it; sessions, limits and back-off use `realNow`.
 * In the demo it runs ahead of real time by an offset that everybody shares.
 */
export type Clock = {
  now(): Temporal.Instant
  /** Milliseconds the clock runs ahead of real time. */
  offset(): number
}

/** A clock that can be moved: the demo's. The offset lives in the database; what moves it also writes it there. */
export type MovableClock = Clock & { setOffset(milliseconds: number): void }

export const realNow = (): Temporal.Instant => Temporal.Now.instant()

export function createClock(offsetMs = 0): MovableClock {
  let ahead = offsetMs
  return {
    now: () => realNow().add({ milliseconds: ahead }),
    offset: () => ahead,
    setOffset: (milliseconds) => {
      ahead = milliseconds
    },
  }
}

/** For the database driver, which speaks Date. */
export const toDate = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds)

export const fromDate = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime())
