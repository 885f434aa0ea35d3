import { formatFigure, formatTable } from '../table.ts'
import type { DayFigures, DayResult } from './measure-day.ts'

/** The maximum 95th and 99th percentiles that docs/performance.md promises, in milliseconds. */
const latencyTargets: Record<string, { p95: number; p99?: number }> = {
  'all reads': { p95: 50, p99: 150 },
  'all changes': { p95: 500 },
}
const maxErrorsShown = 5

export function formatDay({
  services,
  customers,
  perSecond,
  minutes,
  reads,
  changes,
  each,
  errors,
  ...day
}: DayResult): string[] {
  const count = (value: number): string => value.toLocaleString('en-NZ')
  const row = ({ name, calls, p50, p95, p99 }: DayFigures): string[] => {
    const most = latencyTargets[name]
    const of = [most?.p95, most?.p99].map((ms) => (ms === undefined ? '–' : formatFigure(ms)))
    return [name, count(calls), formatFigure(p50), formatFigure(p95), formatFigure(p99), ...of]
  }
  return [
    `${count(services)} services, ${count(perSecond)} requests a second for ` +
      `${formatFigure(minutes)} minutes by ${count(customers)} customers, ` +
      `gateway and network answer after ${day.answersAfterMs} ms; from the planned moment of each request`,
    ...formatTable(
      ['requests', 'count', 'p50 ms', 'p95', 'p99', 'p95 promised', 'p99'],
      [reads, changes, ...each].map(row),
    ),
    `${count(errors.length)} errors${errors.length > 0 ? ':' : ''}`,
    ...errors.slice(0, maxErrorsShown),
  ]
}
