import { createHash } from 'node:crypto'
import type { RoundTripStatement } from '../wire/round-trips.ts'

export type Statement = { statement: string; values: unknown[]; name: string }

/** Sort simultaneous statements: their order varies, and a combined statement should be prepared only once under its name. */
const sortStatements = (trips: readonly RoundTripStatement[]): RoundTripStatement[] =>
  trips.toSorted((one, other) => (one.statement < other.statement ? -1 : Number(one.statement > other.statement)))

/**
 * Combines several statements into one that returns each statement's rows in a JSON column, so that a response needs only a single round
 * trip. Returns null if any of the statements does more than read.
 */
export function combineStatements(trips: readonly RoundTripStatement[]): Statement | null {
  const distinctStatements = new Map(
    sortStatements(trips).map((trip) => [JSON.stringify([trip.statement, trip.values]), trip]),
  )
  const values: unknown[] = []
  const columns: string[] = []
  for (const { statement, values: own } of distinctStatements.values()) {
    if (!/^\s*(?:select|with)\b/i.test(statement)) return null
    const text = statement.replaceAll(/\$(\d+)/g, (_, nth: string) => `$${values.length + Number(nth)}`)
    columns.push(`(select coalesce(json_agg(found), '[]') from (${text}) as found) as c${columns.length}`)
    values.push(...own)
  }
  if (columns.length === 0) return null
  const whole = `select ${columns.join(', ')}`
  return { name: createHash('sha256').update(whole).digest('hex').slice(0, 16), statement: whole, values }
}

export function groupByDepth(trips: readonly RoundTripStatement[]): Statement[][] {
  const rows = new Map<number, Statement[]>()
  for (const { depth, ...statement } of trips) rows.set(depth, [...(rows.get(depth) ?? []), statement])
  return [...rows].toSorted(([one], [other]) => one - other).map(([, row]) => row)
}
