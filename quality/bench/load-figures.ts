/** The calls of one round: the milliseconds of each call, and the duration of the round in seconds. */
export type Round = { times: ArrayLike<number> & Iterable<number>; seconds: number }

export type LoadFigures = {
  calls: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Calls per second of the slowest and the fastest round. Their difference shows how steady the machine was. */
  between: [slowest: number, quickest: number]
}

/** Returns the smallest value that at least the share `part` (0 to 1) of the sorted values does not exceed. */
export function percentile(sorted: ArrayLike<number>, part: number): number {
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}

export function summariseRounds(rounds: readonly Round[]): LoadFigures {
  const sorted = Float64Array.from(rounds.flatMap(({ times }) => [...times])).sort()
  const rates = rounds.map(({ times, seconds }) => times.length / seconds).toSorted((one, other) => one - other)
  return {
    calls: sorted.length,
    perSecond: sorted.length / rounds.reduce((sum, { seconds }) => sum + seconds, 0),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    between: [percentile(rates, 0), percentile(rates, 1)],
  }
}

/** The median. Of an even number of values it returns the lower middle value, so the result is always one of the values. */
export const medianOf = (values: readonly number[]): number =>
  percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

/**
 * The order in which subjects are measured over the rounds. Each subject comes as often before the others as after them, so a drift of the
 * machine affects all of them equally.
 */
export const alternateOrder = <T>(subjects: readonly T[], rounds: number): T[] =>
  Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? subjects : subjects.toReversed())).flat()
