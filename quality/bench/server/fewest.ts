import { createHash } from 'node:crypto'
import type { Trip } from '../wire/trips.ts'

/** A statement and its values. */
export type Statement = { statement: string; values: unknown[]; name: string }

/** Side by side they come in any order: here always in the same one, as a name is prepared once. */
const inOrder = (trips: readonly Trip[]): Trip[] =>
  trips.toSorted((one, other) => (one.statement < other.statement ? -1 : Number(one.statement > other.statement)))

/**
 * One statement that brings the rows of all of these at once, each as a column of JSON: what has to be asked of the database for an
 * answer, asked in one way there and back. Null where one of them does more than read.
 */
export function inOne(trips: readonly Trip[]): Statement | null {
  const different = new Map(inOrder(trips).map((trip) => [JSON.stringify([trip.statement, trip.values]), trip]))
  const values: unknown[] = []
  const columns: string[] = []
  for (const { statement, values: own } of different.values()) {
    if (!/^\s*(?:select|with)\b/i.test(statement)) return null
    const text = statement.replaceAll(/\$(\d+)/g, (_, nth: string) => `$${values.length + Number(nth)}`)
    columns.push(`(select coalesce(json_agg(found), '[]') from (${text}) as found) as c${columns.length}`)
    values.push(...own)
  }
  if (columns.length === 0) return null
  const whole = `select ${columns.join(', ')}`
  return { name: createHash('sha256').update(whole).digest('hex').slice(0, 16), statement: whole, values }
}

/** As they were asked: what went side by side does so again. */
export function inRows(trips: readonly Trip[]): Statement[][] {
  const rows = new Map<number, Statement[]>()
  for (const { depth, ...statement } of trips) rows.set(depth, [...(rows.get(depth) ?? []), statement])
  return [...rows].toSorted(([one], [other]) => one - other).map(([, row]) => row)
}
