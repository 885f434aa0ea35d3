/** A plan's data in MB as the network reports it, and the hours since the cycle began. */
export type Use = {
  totalMb: number
  leftMb: number
  /** MB left in add-ons for home use. The data counts as used up only when these are used up too. */
  extraMb: number
  hoursGone: number
}

/** The remaining MB, including add-ons, at the previous query in the same cycle. */
export type Before = { leftMb: number; hoursAgo: number }

/** Less than this many MB counts as nothing. */
const nothingMb = 1

const isUsedUp = ({ leftMb, extraMb }: Use): boolean => leftMb + extraMb < nothingMb

/** The used part of the cycle's data in percent; 100 only once nothing is left, including add-ons. */
export function usedPercent(use: Use): number {
  if (isUsedUp(use)) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (use.totalMb - use.leftMb)) / use.totalMb)))
}

export const reachedOf = (use: Use, thresholds: readonly number[]): number =>
  Math.max(0, ...thresholds.filter((threshold) => threshold <= usedPercent(use)))

const bounds = { least: 1, most: 24 }

/**
 * Hours until the next query: half of the time until the next threshold at the current pace. The pace is the cycle's
 * average or that since the previous query, whichever is faster. A service with little usage is queried daily.
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
