import { median } from './medians.ts'

/** What a page is judged by, 0 to 100. */
export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo'

/** The least that is enough. */
export const least: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }

/** What a visitor feels: milliseconds to the largest paint and of blocking, and the share of the screen that shifts. */
export type Figure = 'paint' | 'blocking' | 'shift'

/** The most that is still good. */
export const most: Record<Exclude<Figure, 'paint'>, number> = { blocking: 50, shift: 0.02 }

/**
 * What is wanted of the largest paint, and only said: it is reckoned from a visit on a quick line, and counts every script that
 * such a line brings before the first paint.
 */
export const wantedPaint = 1_800

/** One look at a page; one that search engines are not to see has no score for them. */
export type Run = Partial<Record<Category, number>> & Record<Figure, number>
export type Scores = { page: string; runs: Run[] }

const measures = [...Object.keys(least), 'paint', 'blocking', 'shift'] as (keyof Run)[]

/** The median of each measure that every run has. */
export function mediansOf({ runs }: Scores): Partial<Run> {
  const taken = measures.filter((measure) => runs.length > 0 && runs.every((run) => run[measure] !== undefined))
  return Object.fromEntries(taken.map((measure) => [measure, median(runs.map((run) => run[measure] ?? 0))]))
}

/** A sentence for each median that is not good enough. */
export function faultsOf(pages: readonly Scores[]): string[] {
  return pages.flatMap((scores) => {
    const medians = Object.entries(mediansOf(scores)) as [keyof Run, number][]
    return medians.flatMap(([measure, value]) => {
      if (measure in least) return value < least[measure as Category] ? [`${scores.page}: ${measure} ${value}, and ${least[measure as Category]} is the least`] : []
      const limit = measure in most ? most[measure as keyof typeof most] : Infinity
      return value > limit ? [`${scores.page}: ${measure} ${Number(value.toFixed(3))}, and ${limit} is the most`] : []
    })
  })
}
