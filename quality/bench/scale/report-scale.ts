import { formatFigure, formatRatio, formatTable } from '../table.ts'
import type { ScaleResult } from './measure-scale.ts'

export function formatScaleResult({ sizes, reads }: ScaleResult): string[] {
  const count = (value: number): string => value.toLocaleString('en-NZ')
  const sumRows = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, each) => sum + each, 0)
  const databases = sizes.map(({ services, filled, megabytes, memory }) => [
    count(services),
    count(sumRows(filled.rows)),
    `${formatFigure(filled.seconds)} s`,
    megabytes === null ? '–' : count(megabytes),
    memory === null ? '–' : formatFigure(memory),
  ])
  const [least, ...others] = sizes
  const head = [
    'read',
    ...[least, ...others].flatMap((each) => [`${count(each?.services ?? 0)}: a second`, 'p99 ms']),
    ...others.flatMap(() => ['a second', 'p99']),
  ]
  const rows = reads.map(({ name, figures }) => [
    name,
    ...figures.flatMap(({ perSecond, p99 }) => [formatFigure(perSecond), formatFigure(p99)]),
    ...figures
      .slice(1)
      .flatMap(({ perSecond, p99 }) => [
        formatRatio(perSecond, figures[0]?.perSecond),
        formatRatio(p99, figures[0]?.p99),
      ]),
  ])
  return [
    ...formatTable(['services', 'rows', 'filled in', 'database MB', 'process MB'], databases),
    '',
    ...formatTable(head, rows),
  ]
}
