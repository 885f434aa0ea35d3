import type { History } from '../history.contract.ts'

/** A bar in the chart. `left` and `right` are fractions of the chart's width, and `height` is a fraction of the tallest bar's. */
export type Bar = { key: string; left: number; right: number; height: number }

const dayMs = 86_400_000

export function computeChartBars({ starts_on, last_day, cycles, months }: History) {
  const [start, end] = [Date.parse(starts_on), Date.parse(last_day) + dayMs]
  const computePosition = (day: number): number => Math.min(1, Math.max(0, (day - start) / (end - start)))
  const maxMb = Math.max(...cycles.flatMap(({ used_mb: mb }) => (mb === null ? [] : [mb])), 0)
  const maxSpent = Math.max(...months.map(({ spent }) => Number(spent)), 0)
  const computeShare = (value: number, maximum: number): number => (maximum > 0 ? Math.max(0, value / maximum) : 0)
  return {
    mostMb: maxMb,
    mostSpent: maxSpent,
    used: cycles.map((cycle): Bar & { isKnown: boolean; ranOut: boolean } => ({
      key: `${cycle.starts_on} ${cycle.last_day}`,
      left: computePosition(Date.parse(cycle.starts_on)),
      right: computePosition(Date.parse(cycle.last_day) + dayMs),
      height: computeShare(cycle.used_mb ?? 0, maxMb),
      isKnown: cycle.used_mb !== null,
      ranOut: cycle.ran_out_on !== null,
    })),
    spent: months.map(({ month, spent }, index): Bar => ({
      key: month,
      left: index / months.length,
      right: (index + 1) / months.length,
      height: computeShare(Number(spent), maxSpent),
    })),
  }
}
