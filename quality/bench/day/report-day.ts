import { formatFigure, formatTable } from '../table.ts'
import type { DayFigures, DayResult } from './measure-day.ts'
import type { Backlog } from './nightly-work.ts'

/** The maximum 95th and 99th percentiles that docs/performance.md promises, in milliseconds. */
const latencyTargets: Record<string, { p95?: number; p99?: number }> = {
  'all reads': { p95: 50, p99: 150 },
  'all changes': { p95: 500 },
  'all reads during the nightly work': { p99: 250 },
}
const maxErrorsShown = 5

export function formatDayResult({
  services,
  customers,
  perSecond,
  minutes,
  answersAfterMs,
  day,
  night,
}: DayResult): string[] {
  const row = ({ name, calls, p50, p95, p99 }: DayFigures): string[] => {
    const most = latencyTargets[name]
    const of = [most?.p95, most?.p99].map((ms) => (ms === undefined ? '–' : formatFigure(ms)))
    return [name, formatCount(calls), formatFigure(p50), formatFigure(p95), formatFigure(p99), ...of]
  }
  const labelAsNightlyWork = (figures: DayFigures): DayFigures => ({
    ...figures,
    name: `${figures.name} during the nightly work`,
  })
  return [
    `${formatCount(services)} services, ${formatCount(perSecond)} requests a second for ` +
      `${formatFigure(minutes)} minutes by ${formatCount(customers)} customers, ` +
      `gateway and network answer after ${answersAfterMs} ms; from the planned moment of each request`,
    ...formatTable(
      ['requests', 'count', 'p50 ms', 'p95', 'p99', 'p95 promised', 'p99'],
      [
        day.reads,
        day.ownReads,
        day.changes,
        ...[night.reads, night.ownReads, night.changes].map(labelAsNightlyWork),
        ...day.each,
      ].map(row),
    ),
    `nightly work at the start: ${formatBacklog(night.atStart)}; left at the end: ${formatBacklog(night.atEnd)}`,
    ...formatErrors('', day.errors),
    ...formatErrors(' during the nightly work', night.errors),
  ]
}

const formatCount = (value: number): string => value.toLocaleString('en-NZ')

const formatBacklog = (backlog: Backlog): string =>
  Object.entries(backlog)
    .map(([kind, count]) => `${formatCount(count)} ${kind}`)
    .join(', ')

const formatErrors = (when: string, errors: readonly string[]): string[] => [
  `${formatCount(errors.length)} errors${when}${errors.length > 0 ? ':' : ''}`,
  ...errors.slice(0, maxErrorsShown),
]
