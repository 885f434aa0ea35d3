import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from '#kit/server/db.ts'

/** Maximum rows per search: one more than a list shows, so that the caller knows whether there are further results. */
export const maxHits = 9

/** Runs a search; returns `null` when one of its queries took longer than `timeoutMs` milliseconds. */
export async function searchWithTimeout<T>(
  db: Db,
  timeoutMs: number,
  search: (trx: Trx) => Promise<T>,
): Promise<T | null> {
  try {
    return await transact(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(trx)
      return await search(trx)
    })
  } catch (error) {
    // 57014 is PostgreSQL's `query_canceled`, which means that the statement exceeded its timeout.
    if (error instanceof Error && 'code' in error && error.code === '57014') return null
    throw error
  }
}

/**
 * Matches values that begin with `text`, by comparing with a byte range. Unlike `like`, the range can use the byte-ordered
 * index even in a generic plan. No character sorts above U+10FFFF.
 */
export const matchTextPrefix = (column: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\u{10ffff}`}`

/** Matches numbers that begin with `digits`, by comparing with a byte range. In byte order, digits and `+` sort before `~`. */
export const matchDigitPrefix = (column: RawBuilder<unknown>, digits: string): RawBuilder<unknown> =>
  sql`${column} collate "C" >= ${digits} and ${column} collate "C" < ${`${digits}~`}`

/** Matches numbers that end with `digits`, which has at least four characters. Only the last four are in an index. */
export const matchDigitSuffix = (column: RawBuilder<unknown>, digits: string): RawBuilder<unknown> =>
  sql`right(${column}, 4) = ${digits.slice(-4)} and right(${column}, ${sql.lit(digits.length)}) = ${digits}`

/** The folded words of a name: see the function `name_words` in db/migrations/0089_name_words.sql. */
export const nameWords = (name: RawBuilder<unknown> | string): RawBuilder<unknown> => sql`name_words(${name})`

/**
 * Matches a `tsvector` that has each of the terms, in any order. A term of at least `prefixFrom` characters also matches words that begin
 * with the term. An empty list matches nothing. Terms may contain any characters, so quotes and backslashes are doubled.
 */
export const hasTerms = (
  vector: RawBuilder<unknown>,
  terms: RawBuilder<unknown>,
  { prefixFrom }: { prefixFrom: number },
): RawBuilder<unknown> => sql`${vector} @@ (
    select string_agg('''' || replace(replace(term, '\\', '\\\\'), '''', '''''') || ''''
      || case when length(term) >= ${sql.lit(prefixFrom)} then ':*' else '' end, ' & ')::tsquery
    from unnest(${terms}) as term)`

/** Sorts rows in index order, so that the database stops reading after `maxHits` matches. */
export const orderByIndex = (...columns: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map((column) => sql`${column} using ~<~`))}`
