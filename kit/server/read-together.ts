import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db, Trx } from './db.ts'
import { compileOnce } from './compile-once.ts'

type Instants<Row> = { [K in keyof Row]-?: Date extends Row[K] ? K : never }[keyof Row] & string

export type Value = string | Expression<string>

// oxlint-disable-next-line typescript/no-explicit-any
export type Ids = string[] | SelectQueryBuilder<any, any, { id: string }> | IdList
/** A text of ids separated by commas, so that one statement serves any number of ids. */
type IdList = { listed: string }

// In a subquery the list is parsed once. As a plain value it would be parsed again for each row.
export const among = (ids: Ids): [operator: '=' | 'in', ids: Exclude<Ids, IdList> | Expression<string>] =>
  'listed' in ids ? ['=', sql<string>`any((select string_to_array(${ids.listed}, ',')::uuid[])::uuid[])`] : ['in', ids]

export type Question<Row> = { rows: SelectQueryBuilder<never, never, Row>; instants: readonly string[] }

type RowOf<Asked> = Asked extends Question<infer Row> ? Row : never

/**
 * A store's query, to be run together with others. `instants` must name every column that is an instant: these come back as text, and text
 * that a customer has written may look like an instant.
 */
export const question = <Row>(
  rows: SelectQueryBuilder<never, never, Row>,
  instants: { [K in Instants<Row>]: true },
): Question<Row> => ({ rows, instants: Object.keys(instants) })

// oxlint-disable-next-line typescript/no-explicit-any
export type Questions = Record<string, Question<any>>
export type Answers<Asked extends Questions> = { [K in keyof Asked]: RowOf<Asked[K]>[] }

export const jsonColumns = (asked: Questions) =>
  Object.entries(asked).map(([name, { rows }]) => jsonArrayFrom(rows).as(name))

export function reviveAnswers<Asked extends Questions>(asked: Asked, row: object): Answers<Asked> {
  const answers = row as Answers<Asked>
  for (const [name, { instants }] of Object.entries(asked))
    for (const answer of answers[name] ?? []) reviveInstants(answer, instants)
  return answers
}

/**
 * Runs the queries of several stores in one statement: a single round trip, and a consistent snapshot. `build` runs once, with
 * placeholders, as in `compileOnce`.
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
