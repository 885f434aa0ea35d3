import { digits, ratioOf, tableOf } from '../table.ts'
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

/** Handled: nothing of it is due any more. Done: its mails are sent, and its charges completed. */
export const tableOfNights = (all: readonly Night[]): string[] =>
  tableOf(
    head,
    all.flatMap(({ workers, waves, calmP99 }) =>
      waves.map(({ name, count, secondsDue, seconds, megabytes, p99 }) => [
        name,
        String(workers),
        count.toLocaleString('en-NZ'),
        digits(count / secondsDue),
        digits(count / seconds),
        digits(seconds),
        digits(megabytes),
        digits(p99),
        ratioOf(p99, calmP99),
      ]),
    ),
  )
