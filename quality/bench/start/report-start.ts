import { middle } from '../figures.ts'
import { digits, tableOf } from '../table.ts'
import type { StartResult } from './measure-start.ts'

export function tableOfStart({ build, first, second, megabytes, idleStatements }: StartResult): string[] {
  const memory = (value: number | null): string => (value === null ? '–' : `${digits(value)} MB`)
  return tableOf(
    ['start', '', 'memory'],
    [
      ['portal built', `${digits(build)} s`, ''],
      ['first start to the ready line', `${digits(middle(first))} s`, memory(megabytes.afterFirst)],
      ['second start', `${digits(middle(second))} s`, memory(megabytes.afterSecond)],
      ['after load', '', memory(megabytes.afterLoad)],
      ['statements a second while nobody asks', digits(idleStatements), ''],
    ],
  )
}
