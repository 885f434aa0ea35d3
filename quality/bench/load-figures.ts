/** Calls of one stretch of time: the milliseconds of each, and the seconds of the whole. */
export type Round = { times: ArrayLike<number> & Iterable<number>; seconds: number }

export type LoadFigures = {
  calls: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Calls per second of the slowest and of the fastest round, which show how steady the machine was. */
  between: [slowest: number, quickest: number]
}

/** The value that this part (0 to 1) of the values does not exceed. */
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

/** The middle value of whole numbers, which is always one of them. */
export const medianOf = (values: readonly number[]): number =>
  percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

/** The order of turns, round by round. Each subject comes as often before the others as after them, so that a drift affects all alike. */
export const alternateOrder = <T>(subjects: readonly T[], rounds: number): T[] =>
  Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? subjects : subjects.toReversed())).flat()
