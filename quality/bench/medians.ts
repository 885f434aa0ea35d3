export type CallTimings = { call: string; unknown: readonly number[]; known: readonly number[] }
export type Comparison = { call: string; unknown: number; known: number; ratio: number }

const maxRatio = 1.2

export function computeMedian(values: readonly number[]): number {
  const sortedValues = values.toSorted((a, b) => a - b)
  const [low, high] = [
    sortedValues[Math.ceil(sortedValues.length / 2) - 1],
    sortedValues[Math.floor(sortedValues.length / 2)],
  ]
  if (low === undefined || high === undefined) throw new Error('nothing was measured')
  return (low + high) / 2
}

export function compareMedians({ call, ...timings }: CallTimings): Comparison {
  const [unknown, known] = [computeMedian(timings.unknown), computeMedian(timings.known)]
  return { call, unknown, known, ratio: Math.max(unknown, known) / Math.min(unknown, known) }
}

export const findMedianFaults = (comparisons: readonly Comparison[]): string[] =>
  comparisons
    .filter(({ ratio }) => ratio > maxRatio)
    .map(
      ({ call, unknown, known }) =>
        `${call} is ${unknown > known ? 'slower' : 'faster'} by more than 20% for an unknown address`,
    )
