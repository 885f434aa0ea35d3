import { digits, ratioOf, tableOf } from '../table.ts'
import type { DeskResult } from './measure-desk.ts'

/** The last column is the share of the limit that 95 of 100 calls took. */
export const linesOfDesk = ({ services, seconds, figures }: DeskResult): string[] => [
  `${services.toLocaleString('en-NZ')} services, filled in ${digits(seconds)} s`,
  ...tableOf(
    ['asked for', 'calls', 'p50 ms', 'p95 ms', 'p99 ms', 'of its bound'],
    figures.map(({ name, calls, p50, p95, p99, mostMs }) => [
      name,
      String(calls),
      digits(p50),
      digits(p95),
      digits(p99),
      ratioOf(p95, mostMs),
    ]),
  ),
]
