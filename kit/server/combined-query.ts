import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Db, Trx } from './db.ts'
import { preparedQuery } from './prepared-query.ts'

type InstantColumns<Row> = { [K in keyof Row]-?: Date extends Row[K] ? K : never }[keyof Row] & string

export type Value = string | Expression<string>

// oxlint-disable-next-line typescript/no-explicit-any
export type Ids = string[] | SelectQueryBuilder<any, any, { id: string }> | IdList
/** A list of ids as one comma-separated string. With a single parameter, the same statement serves any number of ids. */
type IdList = { listed: string }

// PostgreSQL parses a list inside a subquery only once, but parses a list without a subquery again for every row.
export const inIds = (ids: Ids): [operator: '=' | 'in', ids: Exclude<Ids, IdList> | Expression<string>] =>
  'listed' in ids ? ['=', sql<string>`any((select string_to_array(${ids.listed}, ',')::uuid[])::uuid[])`] : ['in', ids]

export type QueryPart<Row> = { rows: SelectQueryBuilder<never, never, Row>; instants: readonly string[] }

type RowOf<Asked> = Asked extends QueryPart<infer Row> ? Row : never

/**
 * A store's query that runs together with other queries. `instants` must name every column that holds an instant: instants come back as
 * text, and text written by a customer may look like an instant.
 */
export const queryPart = <Row>(
  rows: SelectQueryBuilder<never, never, Row>,
  instants: { [K in InstantColumns<Row>]: true },
): QueryPart<Row> => ({ rows, instants: Object.keys(instants) })

// oxlint-disable-next-line typescript/no-explicit-any
export type QueryParts = Record<string, QueryPart<any>>
export type QueryPartRows<Asked extends QueryParts> = { [K in keyof Asked]: RowOf<Asked[K]>[] }

export const buildJsonColumns = (asked: QueryParts) =>
  Object.entries(asked).map(([name, { rows }]) => jsonArrayFrom(rows).as(name))

export function reviveRows<Asked extends QueryParts>(asked: Asked, row: object): QueryPartRows<Asked> {
  const rowsByName = row as QueryPartRows<Asked>
  for (const [name, { instants }] of Object.entries(asked))
    for (const answer of rowsByName[name] ?? []) reviveInstants(answer, instants)
  return rowsByName
}

/**
 * Runs several stores' queries in one statement, which takes a single round trip and reads a consistent snapshot. `build` runs once, with
 * placeholders, as in `preparedQuery`.
 */
export function combinedQuery<Arguments extends Record<string, string>, Asked extends QueryParts>(
  build: (db: Db, argument: Arguments) => Asked,
): (db: Db | Trx, values: Arguments) => Promise<QueryPartRows<Asked>> {
  let queryParts: Asked
  const read = preparedQuery((db, argument: Arguments) => {
    queryParts = build(db, argument)
    return db.selectNoFrom(buildJsonColumns(queryParts))
  })
  return async (db, values) => {
    const [row = {}] = await read(db, values)
    return reviveRows(queryParts, row)
  }
}

function reviveInstants(row: Record<string, unknown>, columns: readonly string[]): void {
  for (const column of columns) if (typeof row[column] === 'string') row[column] = new Date(row[column])
}
