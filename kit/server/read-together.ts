import { type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db, Trx } from './db.ts'
import { compileOnce } from './compile-once.ts'

/** The columns of a row that are instants. */
type Instants<Row> = { [K in keyof Row]-?: Date extends Row[K] ? K : never }[keyof Row] & string

/** Rows by their ids: these, those that another question finds, or those of a list that is told when it is asked. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Ids = string[] | SelectQueryBuilder<any, any, { id: string }> | IdList
/** One text, with commas: so one question is asked of however many. */
type IdList = { listed: string }

// In a question of its own, the list is read once: as a value it would be read anew for each row that is looked at.
/** As a condition on a column: `where('id', ...among(ids))`. */
export const among = (ids: Ids) =>
  ('listed' in ids
    ? ['=', sql`any((select string_to_array(${ids.listed}, ',')::uuid[])::uuid[])`]
    : ['in', ids]) as unknown as [operator: 'in', ids: string[]]

/** What a store asks, unsent: its rows, and which of their columns are instants. */
export type Question<Row> = { rows: SelectQueryBuilder<never, never, Row>; instants: readonly string[] }

type RowOf<Asked> = Asked extends Question<infer Row> ? Row : never

/**
 * What a store asks, to be asked beside others. `instants` must name every column that is one: they come back as text, and text that a
 * customer has written may look like an instant.
 */
export const question = <Row>(
  rows: SelectQueryBuilder<never, never, Row>,
  instants: { [K in Instants<Row>]: true },
): Question<Row> => ({ rows, instants: Object.keys(instants) })

/**
 * Asks several stores in one statement: one way there and back, and all of it as it is at one moment. `build` runs
 * once, with placeholders, as in `compileOnce`.
 */
export function readTogether<
  Arguments extends Record<string, string>,
  // oxlint-disable-next-line typescript/no-explicit-any
  Questions extends Record<string, Question<any>>,
>(
  build: (db: Db, argument: Arguments) => Questions,
): (db: Db | Trx, values: Arguments) => Promise<{ [K in keyof Questions]: RowOf<Questions[K]>[] }> {
  let instants: [question: string, columns: readonly string[]][] = []
  const read = compileOnce((db, argument: Arguments) => {
    const questions = Object.entries(build(db, argument))
    instants = questions.map(([name, each]) => [name, each.instants])
    // One row, with each answer in a column as JSON.
    return db.selectNoFrom(() => questions.map(([name, { rows }]) => jsonArrayFrom(rows).as(name)))
  })
  return async (db, values) => {
    const [answers = {}] = (await read(db, values)) as Record<string, Record<string, unknown>[]>[]
    for (const [name, columns] of instants) for (const row of answers[name] ?? []) reviveInstants(row, columns)
    return answers as { [K in keyof Questions]: RowOf<Questions[K]>[] }
  }
}

function reviveInstants(row: Record<string, unknown>, columns: readonly string[]): void {
  for (const column of columns) if (typeof row[column] === 'string') row[column] = new Date(row[column])
}
