/** Calls of one stretch of time: how long each took, in ms, and how long all of it. */
export type Round = { times: ArrayLike<number> & Iterable<number>; seconds: number }

export type Figures = {
  calls: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Calls a second of the slowest round and of the quickest: how far the machine was the same all the time. */
  between: [slowest: number, quickest: number]
}

/** The value that `part` of them (0 to 1) do not exceed. */
export function percentile(sorted: ArrayLike<number>, part: number): number {
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}

/** All rounds as one. */
export function figuresOf(rounds: readonly Round[]): Figures {
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

/** The middle of some whole numbers, one that is among them. */
export const middle = (values: readonly number[]): number =>
  percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  )

/** Whom the turn comes to, round by round: each is as often before the others as behind them, so that a drift falls on all alike. */
export const turnsOf = <T>(subjects: readonly T[], rounds: number): T[] =>
  Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? subjects : subjects.toReversed())).flat()
