import { computeMedian } from './medians.ts'

/** Lighthouse's categories, each scored from 0 to 100. */
export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo'

/**
 * The delays and layout shifts that a visitor notices. `reckoned` is Lighthouse's estimate of the time to the largest paint, and
 * `throttled` is the same time measured in a throttled browser, both in milliseconds. `twin` is the ratio of `throttled` to the time that a
 * page of the same length without scripts takes in the same browser straight afterwards. `blocking` is in milliseconds. `shift` is the
 * share of the screen that moves.
 */
type TimingMeasure = 'reckoned' | 'throttled' | 'twin' | 'blocking' | 'shift'

type Measure = Category | TimingMeasure

/**
 * Missing an `aim` is reported but does not fail the run. Lighthouse's estimate (`reckoned`) has only an aim, because it counts every
 * script that had been fetched before the paint during Lighthouse's own unthrottled visit (docs/decisions/0005).
 */
const limits: Record<Measure, { least: number } | { most: number } | { aim: number }> = {
  performance: { least: 95 },
  accessibility: { least: 100 },
  'best-practices': { least: 100 },
  seo: { least: 100 },
  reckoned: { aim: 1_800 },
  throttled: { most: 1_000 },
  twin: { most: 1.3 },
  blocking: { most: 50 },
  shift: { most: 0.02 },
}

export const measures = Object.keys(limits) as readonly Measure[]

export type Run = Partial<Record<Measure, number>>
export type PageScores = { page: string; runs: Run[] }

export function computeMedians({ runs }: PageScores): Run {
  const taken = measures.filter((measure) => runs.length > 0 && runs.every((run) => run[measure] !== undefined))
  return Object.fromEntries(taken.map((measure) => [measure, computeMedian(runs.map((run) => run[measure] ?? 0))]))
}

export const findScoreFaults = (pages: readonly PageScores[]): string[] =>
  describeMissedLimits(pages, (limit, value) => {
    if ('least' in limit) return value < limit.least ? `the minimum is ${limit.least}` : null
    return 'most' in limit && value > limit.most ? `the maximum is ${limit.most}` : null
  })

export const findMissedTargets = (pages: readonly PageScores[]): string[] =>
  describeMissedLimits(pages, (limit, value) =>
    'aim' in limit && value > limit.aim ? `the target is ${limit.aim}` : null,
  )

function describeMissedLimits(
  pages: readonly PageScores[],
  judge: (limit: (typeof limits)[Measure], value: number) => string | null,
): string[] {
  return pages.flatMap((scores) =>
    Object.entries(computeMedians(scores)).flatMap(([measure, value]) => {
      const limitDescription = judge(limits[measure as Measure], value)
      return limitDescription ? [`${scores.page}: ${measure} ${Number(value.toFixed(3))}, but ${limitDescription}`] : []
    }),
  )
}
