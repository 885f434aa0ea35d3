import { formatFigure, formatTable } from '../table.ts'
import type { ClickFigures } from './measure-clicks.ts'

export const formatClickFigures = (figures: readonly ClickFigures[]): string[] =>
  formatTable(
    ['press', 'calls', 'ms', 'most', 'of its bound'],
    figures.map(({ name, calls, middle, most, mostMs }) => [
      name,
      String(calls),
      formatFigure(middle),
      formatFigure(most),
      `${(middle / mostMs).toFixed(2)} ×`,
    ]),
  )
