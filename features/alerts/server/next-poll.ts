/** A plan's data in MB, as reported by the network, and the hours since the cycle began. */
export type UsageReading = {
  totalMb: number
  leftMb: number
  /**
   * MB left in add-ons for domestic use. The customer's data counts as used up only when these add-ons are used up too.
   */
  extraMb: number
  hoursGone: number
}

/** The MB that remained, including add-ons, at the previous usage query in the same cycle. */
export type PreviousReading = { leftMb: number; hoursAgo: number }

/** Data counts as used up when less than this many MB remain. */
const usedUpBelowMb = 1

const isUsedUp = ({ leftMb, extraMb }: UsageReading): boolean => leftMb + extraMb < usedUpBelowMb

/**
 * Returns the percentage of the cycle's data that is used. The result is 100 only when the plan's data and the add-ons
 * are used up.
 */
export function usedPercent(use: UsageReading): number {
  if (isUsedUp(use)) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (use.totalMb - use.leftMb)) / use.totalMb)))
}

export const highestReachedThreshold = (use: UsageReading, thresholds: readonly number[]): number =>
  Math.max(0, ...thresholds.filter((threshold) => threshold <= usedPercent(use)))

const pollIntervalHours = { least: 1, most: 24 }

/**
 * Returns the hours until the next usage query, which is half the time until the next threshold is reached at the
 * current pace. The pace is the average of the cycle or of the time since the previous query, whichever is faster. A
 * service with little usage is queried daily.
 */
export function hoursUntilPoll(
  use: UsageReading,
  before: PreviousReading | null,
  thresholds: readonly number[],
): number {
  const mbUntilThreshold = Math.min(
    ...thresholds.map((threshold) => mbUntilReached(use, threshold)).filter((mb) => mb > 0),
  )
  const pace = Math.max(averagePace(use), before ? paceSincePrevious(use, before) : 0)
  if (!(pace > 0) || mbUntilThreshold === Infinity) return pollIntervalHours.most
  return Math.min(pollIntervalHours.most, Math.max(pollIntervalHours.least, mbUntilThreshold / pace / 2))
}

const mbUntilReached = ({ totalMb, leftMb, extraMb }: UsageReading, threshold: number): number =>
  threshold === 100 ? leftMb + extraMb : leftMb - (totalMb * (100 - threshold)) / 100

const averagePace = ({ totalMb, leftMb, hoursGone }: UsageReading): number =>
  hoursGone > 0 ? (totalMb - leftMb) / hoursGone : 0

const paceSincePrevious = ({ leftMb, extraMb }: UsageReading, before: PreviousReading): number =>
  before.hoursAgo > 0 ? (before.leftMb - leftMb - extraMb) / before.hoursAgo : 0
