import { parseArgs } from 'node:util'
import type { Need } from './injector.ts'

/**
 * The kinds of databases that a run can use. `cluster` is a separate PostgreSQL server, `pooled` is the same behind PgBouncer, and `pair`
 * is a primary with a replica.
 */
export type Where = 'embedded' | 'postgres' | 'cluster' | 'pooled' | 'pair'

export type FaultRunOptions = {
  seed: number
  /** The names of the injectors to use; if empty, every injector that works with the run's database and processes. */
  only: string[]
  orders: number
  minutes: number
  /** The file to write the figures to, as JSON; null for none. */
  out: string | null
  where: Where[]
  processes: number
}

export type DefaultOptions = Pick<FaultRunOptions, 'orders' | 'minutes' | 'where' | 'only'>

const every = 'all'
const databaseSetups: readonly string[] = ['embedded', 'postgres', 'cluster', 'pooled', 'pair'] satisfies Where[]

export const usage = `--seed N        repeats the choices of a run
--only A,B      these injectors alone, and nothing else goes wrong; all for all of them
--orders N      so many orders at the most
--minutes N     so long at the longest
--on PLACE,…    ${databaseSetups.join(', ')}
--processes N   product processes on PostgreSQL
--out FILE      the figures, as JSON`

/** Parses a command line. @throws an error with a one-line message that names the invalid argument */
export function readFaultRunOptions(
  args: string[],
  otherwise: DefaultOptions,
  known: readonly string[],
): FaultRunOptions {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      only: { type: 'string' },
      orders: { type: 'string' },
      minutes: { type: 'string' },
      out: { type: 'string' },
      on: { type: 'string' },
      processes: { type: 'string' },
    },
  })
  const only = splitList(values.only)
  for (const name of only.filter((each) => each !== every))
    if (!known.includes(name)) throw new Error(`There is no injector ${name}: ${known.join(', ')}.`)
  const where = splitList(values.on)
  for (const name of where)
    if (!databaseSetups.includes(name)) throw new Error(`--on takes ${databaseSetups.join(', ')}, not ${name}.`)
  return {
    seed: parseNumber('seed', values.seed) ?? Math.floor(Math.random() * 1_000_000),
    only: values.only === undefined ? otherwise.only : only.includes(every) ? [] : only,
    orders: parseNumber('orders', values.orders) ?? otherwise.orders,
    minutes: parseNumber('minutes', values.minutes) ?? otherwise.minutes,
    out: values.out ?? null,
    where: where.length > 0 ? (where as Where[]) : otherwise.where,
    processes: parseNumber('processes', values.processes) ?? 2,
  }
}

const splitList = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean)

function parseNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}.`)
  return Number(text)
}

export const listCapabilities = (where: Where, processes: number): Need[] => [
  where === 'embedded' ? 'embedded' : 'postgres',
  ...(where === 'cluster' || where === 'pooled' || where === 'pair' ? (['cluster'] as const) : []),
  ...(where === 'pair' ? (['pair'] as const) : []),
  ...(where !== 'embedded' && processes > 1 ? (['processes'] as const) : []),
]
