import { formatFigure, formatTable } from '../table.ts'
import type { ActionResult } from './measure-actions.ts'

const head = ['act', 'visitors', 'a second', 'count', 'last step p50 ms', 'p99 ms', 'whole p50 ms', 'p99 ms', 'cpu ms']

export const formatActionResults = (results: readonly ActionResult[]): string[] => [
  ...formatTable(
    head,
    results.map(({ name, visitors, whole, last, processor }) => [
      name,
      String(visitors),
      formatFigure(whole.perSecond),
      String(whole.calls),
      formatFigure(last.p50),
      formatFigure(last.p99),
      formatFigure(whole.p50),
      formatFigure(whole.p99),
      processor === null ? '–' : formatFigure(processor),
    ]),
  ),
  '',
  ...formatTable(
    ['step', 'visitors', 'p50 ms'],
    results
      .filter(({ name }) => name === 'activation with sign-up')
      .flatMap(({ visitors, steps }) =>
        Object.entries(steps).map(([path, ms]) => [`POST ${path}`, String(visitors), formatFigure(ms)]),
      ),
  ),
]
