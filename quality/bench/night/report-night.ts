import { formatFigure, formatRatio, formatTable } from '../table.ts'
import type { Night } from './measure-night.ts'

const head = [
  'night',
  'workers',
  'due',
  'handled a second',
  'done a second',
  'seconds',
  'process MB',
  'reads p99 ms',
  'of calm',
]

/**
 * Formats the results of the night benchmark as tables. “Handled” means that no more work is due; “done” means that all emails have been
 * sent and all charges completed.
 */
export const formatNightResults = (all: readonly Night[]): string[] =>
  formatTable(
    head,
    all.flatMap(({ workers, waves, calmP99 }) =>
      waves.map(({ name, count, secondsDue, seconds, megabytes, p99 }) => [
        name,
        String(workers),
        count.toLocaleString('en-NZ'),
        formatFigure(count / secondsDue),
        formatFigure(count / seconds),
        formatFigure(seconds),
        formatFigure(megabytes),
        formatFigure(p99),
        formatRatio(p99, calmP99),
      ]),
    ),
  )
