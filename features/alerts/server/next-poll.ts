/**
 * How much of a plan's data is left, in MB as reported by the network, and how many hours have passed since the cycle
 * began.
 */
export type UsageReading = {
  totalMb: number
  leftMb: number
  /**
   * MB left in add-ons for domestic use. The customer's data only counts as used up once these add-ons are used up too.
   */
  extraMb: number
  hoursGone: number
}

/** The previous usage check in the same cycle. `leftMb` includes add-ons. */
export type PreviousReading = { leftMb: number; hoursAgo: number }

/** The data counts as used up when less than this many MB are left. */
const usedUpThresholdMb = 1

const isUsedUp = ({ leftMb, extraMb }: UsageReading): boolean => leftMb + extraMb < usedUpThresholdMb

/**
 * Returns how much of the cycle's data has been used, in percent. Returns 100 only when both the plan's data and the
 * add-ons are used up.
 */
export function computeUsedPercent(use: UsageReading): number {
  if (isUsedUp(use)) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (use.totalMb - use.leftMb)) / use.totalMb)))
}

export const getHighestReachedThreshold = (use: UsageReading, thresholds: readonly number[]): number =>
  Math.max(0, ...thresholds.filter((threshold) => threshold <= computeUsedPercent(use)))

const pollIntervalHours = { least: 1, most: 24 }

/**
 * Returns how many hours to wait before the next usage check: half the time in which the customer would reach the next
 * threshold at the current pace. The pace is the average over the cycle or since the previous check, whichever is
 * faster. A service that uses little data is checked daily.
 */
export function computeHoursUntilPoll(
  use: UsageReading,
  before: PreviousReading | null,
  thresholds: readonly number[],
): number {
  const mbUntilThreshold = Math.min(
    ...thresholds.map((threshold) => computeMbUntilThreshold(use, threshold)).filter((mb) => mb > 0),
  )
  const pace = Math.max(averageMbPerHour(use), before ? recentMbPerHour(use, before) : 0)
  if (!(pace > 0) || mbUntilThreshold === Infinity) return pollIntervalHours.most
  return Math.min(pollIntervalHours.most, Math.max(pollIntervalHours.least, mbUntilThreshold / pace / 2))
}

const computeMbUntilThreshold = ({ totalMb, leftMb, extraMb }: UsageReading, threshold: number): number =>
  threshold === 100 ? leftMb + extraMb : leftMb - (totalMb * (100 - threshold)) / 100

const averageMbPerHour = ({ totalMb, leftMb, hoursGone }: UsageReading): number =>
  hoursGone > 0 ? (totalMb - leftMb) / hoursGone : 0

const recentMbPerHour = ({ leftMb, extraMb }: UsageReading, before: PreviousReading): number =>
  before.hoursAgo > 0 ? (before.leftMb - leftMb - extraMb) / before.hoursAgo : 0
