import { formatFigure, formatRatio, formatTable } from '../table.ts'
import type { ReadResult } from './measure-reads.ts'

const head = ['read', 'a second', 'p50 ms', 'p99 ms', 'cpu ms', 'statements', 'trips', 'in a row']
const baselineNames = ['same', 'fewest', 'react', 'nothing'] as const

export const formatReadResults = (results: readonly ReadResult[]): string[] =>
  formatTable([...head, ...baselineNames.flatMap((name) => [`${name}/s`, 'calls', 'cpu'])], results.map(rowOf))

function rowOf({ name, product, statements, roundTrips, inARow, floors: measured }: ReadResult): string[] {
  const formatOptional = (value: number | null | undefined): string =>
    typeof value === 'number' ? formatFigure(value) : '–'
  return [
    name,
    ...[product.perSecond, product.p50, product.p99, product.processor].map(formatOptional),
    ...[statements, roundTrips, inARow].map((value) => (value === null ? '–' : String(value))),
    ...baselineNames.flatMap((floor) => {
      const other = measured[floor]
      return [
        formatOptional(other?.perSecond),
        formatRatio(product.perSecond, other?.perSecond),
        formatRatio(product.processor, other?.processor),
      ]
    }),
  ]
}
