import { type RawBuilder, sql } from 'kysely'
import { splitFullName } from '#kit/contract/names.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { hasTerms, maxHits, nameWords, searchWithTimeout, matchTextPrefix } from './search-conditions.ts'
import type { SearchCriterion } from './parse-search.ts'

/** An activation that is unfinished or has failed. */
export type FoundActivation = {
  kind: 'activation'
  id: string
  /** The customer's id; `null` for a visitor who has no account yet. */
  user_id: string | null
  /** `null` before the first payment: the activation has no order yet. */
  order_code: string | null
  /** The state of the order; without an order, the step of the activation. */
  state: string
  /** The phone number of the SIM. */
  hit: string
  iccid: string
  email: string
  first_name: string
  last_name: string
  at: Date
}

type Row = Omit<FoundActivation, 'kind' | 'first_name' | 'last_name'> & { full_name: string }

const searchTimeoutMs = 1_000
/** Most SIM numbers of a provider begin with the same digits, so a shorter beginning would match most activations. */
const minSimDigits = 15
/** Maximum matches that are sorted by time. A search with more matches lists the newest of any 200 matches. */
const maxSorted = 200

/** Finds unfinished and failed activations, newest first; returns `null` when a query took too long. */
export async function searchActivations(
  db: Db,
  search: SearchCriterion,
  { atMostMs: timeoutMs = searchTimeoutMs } = {},
): Promise<FoundActivation[] | null> {
  const rows = await searchWithTimeout(db, timeoutMs, (trx) => runQueries(trx, search))
  return (
    rows &&
    rows
      .toSorted((one, other) => other.at.getTime() - one.at.getTime())
      .filter((row, index) => rows.findIndex(({ id }) => id === row.id) === index)
      .map(({ full_name: fullName, ...row }) => ({ kind: 'activation', ...row, ...splitFullName(fullName) }))
  )
}

async function runQueries(trx: Trx, search: SearchCriterion): Promise<Row[]> {
  const queries =
    search.of === 'order'
      ? [ordersQuery(matchTextPrefix(sql`order_code`, search.code))]
      : termsOf(search).flatMap((terms) => [
          ordersQuery(hasTerms(orderTerms, terms, { prefixFrom: 1 })),
          withoutOrderQuery(hasTerms(activationTerms, terms, { prefixFrom: 1 })),
        ])
  const rows: Row[][] = []
  for (const query of queries) rows.push((await query.execute(trx)).rows)
  return rows.flat()
}

function termsOf(search: Exclude<SearchCriterion, { of: 'order' }>): RawBuilder<unknown>[] {
  switch (search.of) {
    case 'email':
      return [term('email', search.email)]
    case 'name':
      return [nameWords(search.text)]
    case 'number':
      return [
        ...search.prefixes.map((digits) => term('number', digits)),
        ...(search.ending ? [term('number end', reverse(search.ending))] : []),
      ]
    case 'SIM':
      return search.iccid.length < minSimDigits ? [] : [term('sim', search.iccid)]
    case 'end':
      return [term('number end', reverse(search.digits)), term('sim end', reverse(search.digits))]
  }
}

const reverse = (digits: string): string => [...digits].toReversed().join('')
const term = (kind: 'email' | 'number' | 'number end' | 'sim' | 'sim end', text: string): RawBuilder<unknown> =>
  sql`array[${`${kind}:${text}`}]::text[]`

// The indexes in db/migrations/0090_search_indexes.sql have the same expressions and conditions.
const numberTerms = sql`'number:' || msisdn, 'number end:' || reverse(msisdn), 'sim:' || iccid, 'sim end:' || reverse(iccid)`
const orderTerms = sql`array_to_tsvector(name_words(full_name) || array['email:' || email, ${numberTerms}])`
const activationTerms = sql`array_to_tsvector(name_words(full_name) || array['email:' || coalesce(email, ''), ${numberTerms}])`

/** Finds orders of activations that are not complete. An erased customer's orders have no email address and are left out. */
const ordersQuery = (condition: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select * from (
    select id, user_id, order_code, state, msisdn as hit, iccid, email, full_name, created_at as at
    from orders where ${condition} and kind = 'activation' and state <> 'completed' and email <> '' limit ${maxSorted}
  ) as found order by at desc limit ${maxHits}`

const withoutOrderQuery = (condition: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select * from (
    select id, user_id, null as order_code, state, msisdn as hit, iccid, coalesce(email, '') as email,
      coalesce(full_name, '') as full_name, started_at as at
    from activations where ${condition} and order_id is null limit ${maxSorted}
  ) as found order by at desc limit ${maxHits}`
