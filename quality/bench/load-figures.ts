/** The requests sent in one round: how long each took in milliseconds, and how long the round took in seconds. */
export type Round = { times: ArrayLike<number> & Iterable<number>; seconds: number }

export type LoadFigures = {
  calls: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Requests per second in the slowest and the fastest round. The gap between them shows how steady the machine was. */
  between: [slowest: number, quickest: number]
}

/**
 * Returns a percentile of sorted values, where `part` is a fraction (0 to 1). It uses the nearest-rank method, so the result is always one
 * of the values.
 */
export function computePercentile(sorted: ArrayLike<number>, part: number): number {
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}

export function summariseRounds(rounds: readonly Round[]): LoadFigures {
  const sortedTimes = Float64Array.from(rounds.flatMap(({ times }) => [...times])).sort()
  const rates = rounds.map(({ times, seconds }) => times.length / seconds).toSorted((one, other) => one - other)
  return {
    calls: sortedTimes.length,
    perSecond: sortedTimes.length / rounds.reduce((sum, { seconds }) => sum + seconds, 0),
    p50: computePercentile(sortedTimes, 0.5),
    p99: computePercentile(sortedTimes, 0.99),
    between: [computePercentile(rates, 0), computePercentile(rates, 1)],
  }
}

/** The median. For an even number of values, the lower middle value is returned, so the result is always one of the values. */
export const computeMedian = (values: readonly number[]): number =>
  computePercentile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

/**
 * Alternates the order in which subjects are measured, so that each comes before the others as often as after them. If the machine
 * gradually slows down, all subjects are affected equally.
 */
export const alternateOrder = <T>(subjects: readonly T[], rounds: number): T[] =>
  Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? subjects : subjects.toReversed())).flat()
