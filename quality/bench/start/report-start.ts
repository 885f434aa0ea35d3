import { computeMedian } from '../load-figures.ts'
import { formatFigure, formatTable } from '../table.ts'
import type { StartResult } from './measure-start.ts'

export function formatStartResult({ build, first, second, megabytes, idleStatements }: StartResult): string[] {
  const formatMemory = (value: number | null): string => (value === null ? '–' : `${formatFigure(value)} MB`)
  return formatTable(
    ['start', '', 'memory'],
    [
      ['portal built', `${formatFigure(build)} s`, ''],
      ['first start to the ready line', `${formatFigure(computeMedian(first))} s`, formatMemory(megabytes.afterFirst)],
      ['second start', `${formatFigure(computeMedian(second))} s`, formatMemory(megabytes.afterSecond)],
      ['after load', '', formatMemory(megabytes.afterLoad)],
      ['statements a second while nobody asks', formatFigure(idleStatements), ''],
    ],
  )
}
