import { formatFigure, formatRatio, formatTable } from '../table.ts'
import type { DeskResult } from './measure-desk.ts'

/** Formats the desk's figures as a table. The last column shows the 95th percentile as a fraction of its limit. */
export const formatDeskResult = ({ services, seconds, figures }: DeskResult): string[] => [
  `${services.toLocaleString('en-NZ')} services, filled in ${formatFigure(seconds)} s`,
  ...formatTable(
    ['asked for', 'calls', 'p50 ms', 'p95 ms', 'p99 ms', 'of its bound'],
    figures.map(({ name, calls, p50, p95, p99, mostMs }) => [
      name,
      String(calls),
      formatFigure(p50),
      formatFigure(p95),
      formatFigure(p99),
      formatRatio(p95, mostMs),
    ]),
  ),
]
