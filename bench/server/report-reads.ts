import { digits, ratioOf, tableOf } from '../table.ts'
import type { ReadResult } from './measure-reads.ts'

const head = [
  'read',
  'a second',
  'p50 ms',
  'p99 ms',
  'statements',
  'trips',
  'in a row',
  'of same',
  'of fewest',
  'of react',
  'of nothing',
  'same/s',
  'fewest/s',
]

/** The product's figures, what each is of its floors', and theirs. */
export const tableOfReads = (results: readonly ReadResult[]): string[] => tableOf(head, results.map(rowOf))

function rowOf({ name, product, statements, roundTrips, inARow, floors }: ReadResult): string[] {
  const of = (floor: keyof typeof floors): string => ratioOf(product.perSecond, floors[floor]?.perSecond)
  const count = (value: number | null): string => (value === null ? '–' : String(value))
  const rate = (floor: keyof typeof floors): string => {
    const figures = floors[floor]
    return figures ? digits(figures.perSecond) : '–'
  }
  return [
    name,
    digits(product.perSecond),
    digits(product.p50),
    digits(product.p99),
    String(statements),
    count(roundTrips),
    count(inARow),
    of('same'),
    of('fewest'),
    of('react'),
    of('nothing'),
    rate('same'),
    rate('fewest'),
  ]
}
