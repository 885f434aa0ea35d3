import { digits, tableOf } from '../table.ts'
import type { ClickFigures } from './measure-clicks.ts'

export const linesOfClicks = (figures: readonly ClickFigures[]): string[] =>
  tableOf(
    ['press', 'calls', 'ms', 'most', 'of its bound'],
    figures.map(({ name, calls, middle, most, mostMs }) => [
      name,
      String(calls),
      digits(middle),
      digits(most),
      `${(middle / mostMs).toFixed(2)} ×`,
    ]),
  )
