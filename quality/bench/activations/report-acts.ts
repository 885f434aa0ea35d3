import { digits, tableOf } from '../table.ts'
import type { ActResult } from './measure-acts.ts'

const head = ['act', 'visitors', 'a second', 'count', 'last step p50 ms', 'p99 ms', 'whole p50 ms', 'p99 ms', 'cpu ms']

export const linesOfActs = (results: readonly ActResult[]): string[] => [
  ...tableOf(
    head,
    results.map(({ name, visitors, whole, last, processor }) => [
      name,
      String(visitors),
      digits(whole.perSecond),
      String(whole.calls),
      digits(last.p50),
      digits(last.p99),
      digits(whole.p50),
      digits(whole.p99),
      processor === null ? '–' : digits(processor),
    ]),
  ),
  '',
  ...tableOf(
    ['step', 'visitors', 'p50 ms'],
    results
      .filter(({ name }) => name === 'activation with sign-up')
      .flatMap(({ visitors, steps }) =>
        Object.entries(steps).map(([path, ms]) => [`POST ${path}`, String(visitors), digits(ms)]),
      ),
  ),
]
