import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db, Trx } from './db.ts'
import { compileOnce } from './compile-once.ts'

/** The columns of a row that are instants. */
type Instants<Row> = { [K in keyof Row]-?: Date extends Row[K] ? K : never }[keyof Row] & string

/** A value, or an expression of the statement that it stands in. */
export type Value = string | Expression<string>

/** Rows by their ids: these, those that another question finds, or those of a list that is told when it is asked. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Ids = string[] | SelectQueryBuilder<any, any, { id: string }> | IdList
/** One text, with commas: so one question is asked of however many. */
type IdList = { listed: string }

// In a question of its own, the list is read once: as a value it would be read anew for each row that is looked at.
/** As a condition on a column: `where('id', ...among(ids))`. */
export const among = (ids: Ids): [operator: '=' | 'in', ids: Exclude<Ids, IdList> | Expression<string>] =>
  'listed' in ids ? ['=', sql<string>`any((select string_to_array(${ids.listed}, ',')::uuid[])::uuid[])`] : ['in', ids]

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

// oxlint-disable-next-line typescript/no-explicit-any
export type Questions = Record<string, Question<any>>
export type Answers<Asked extends Questions> = { [K in keyof Asked]: RowOf<Asked[K]>[] }

/** A column of JSON for each question. */
export const jsonColumns = (asked: Questions) =>
  Object.entries(asked).map(([name, { rows }]) => jsonArrayFrom(rows).as(name))

/** The answers in a row that was read with `jsonColumns`. */
export function reviveAnswers<Asked extends Questions>(asked: Asked, row: object): Answers<Asked> {
  const answers = row as Answers<Asked>
  for (const [name, { instants }] of Object.entries(asked))
    for (const answer of answers[name] ?? []) reviveInstants(answer, instants)
  return answers
}

/**
 * Asks several stores in one statement: one way there and back, and all of it as it is at one moment. `build` runs
 * once, with placeholders, as in `compileOnce`.
 */
export function readTogether<Arguments extends Record<string, string>, Asked extends Questions>(
  build: (db: Db, argument: Arguments) => Asked,
): (db: Db | Trx, values: Arguments) => Promise<Answers<Asked>> {
  let asked: Asked
  const read = compileOnce((db, argument: Arguments) => {
    asked = build(db, argument)
    return db.selectNoFrom(jsonColumns(asked))
  })
  return async (db, values) => {
    const [row = {}] = await read(db, values)
    return reviveAnswers(asked, row)
  }
}

function reviveInstants(row: Record<string, unknown>, columns: readonly string[]): void {
  for (const column of columns) if (typeof row[column] === 'string') row[column] = new Date(row[column])
}
