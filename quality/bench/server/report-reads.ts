import { digits, ratioOf, tableOf } from '../table.ts'
import type { ReadResult } from './measure-reads.ts'

const head = ['read', 'a second', 'p50 ms', 'p99 ms', 'cpu ms', 'statements', 'trips', 'in a row']
const floors = ['same', 'fewest', 'react', 'nothing'] as const

export const tableOfReads = (results: readonly ReadResult[]): string[] =>
  tableOf([...head, ...floors.flatMap((name) => [`${name}/s`, 'calls', 'cpu'])], results.map(rowOf))

function rowOf({ name, product, statements, roundTrips, inARow, floors: measured }: ReadResult): string[] {
  const figure = (value: number | null | undefined): string => (typeof value === 'number' ? digits(value) : '–')
  return [
    name,
    ...[product.perSecond, product.p50, product.p99, product.processor].map(figure),
    ...[statements, roundTrips, inARow].map((value) => (value === null ? '–' : String(value))),
    ...floors.flatMap((floor) => {
      const other = measured[floor]
      return [
        figure(other?.perSecond),
        ratioOf(product.perSecond, other?.perSecond),
        ratioOf(product.processor, other?.processor),
      ]
    }),
  ]
}
