/** A plan's data by the network's word, in MB, and how long its cycle has run. */
export type Use = {
  totalMb: number
  leftMb: number
  /** Of add-ons that can be used at home: the data is used up when that is, too. */
  extraMb: number
  hoursGone: number
}

/** What was left in all at the look before, in the same cycle. */
export type Before = { leftMb: number; hoursAgo: number }

/** What is left of a plan that has less reads as nothing. */
const nothingMb = 1

const isUsedUp = ({ leftMb, extraMb }: Use): boolean => leftMb + extraMb < nothingMb

/** How much of the cycle's data is used, in percent; 100 once nothing at all is left. */
export function usedPercent(use: Use): number {
  if (isUsedUp(use)) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (use.totalMb - use.leftMb)) / use.totalMb)))
}

/** The highest of these thresholds that has been reached; 0: none. */
export const reachedOf = (use: Use, thresholds: readonly number[]): number =>
  Math.max(0, ...thresholds.filter((threshold) => threshold <= usedPercent(use)))

const bounds = { least: 1, most: 24 }

/**
 * Hours until a service is looked at again: half of what it would take to the next of these thresholds at its pace, which is that of the
 * cycle or that since the last look, whichever is more. A quiet number is asked for once a day.
 */
export function hoursUntilLook(use: Use, before: Before | null, thresholds: readonly number[]): number {
  const toNext = Math.min(...thresholds.map((threshold) => leftUntil(use, threshold)).filter((mb) => mb > 0))
  const pace = Math.max(paceOfCycle(use), before ? paceSince(use, before) : 0)
  if (!(pace > 0) || toNext === Infinity) return bounds.most
  return Math.min(bounds.most, Math.max(bounds.least, toNext / pace / 2))
}

const leftUntil = ({ totalMb, leftMb, extraMb }: Use, threshold: number): number =>
  threshold === 100 ? leftMb + extraMb : leftMb - (totalMb * (100 - threshold)) / 100

const paceOfCycle = ({ totalMb, leftMb, hoursGone }: Use): number =>
  hoursGone > 0 ? (totalMb - leftMb) / hoursGone : 0

const paceSince = ({ leftMb, extraMb }: Use, before: Before): number =>
  before.hoursAgo > 0 ? (before.leftMb - leftMb - extraMb) / before.hoursAgo : 0
