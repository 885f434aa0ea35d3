import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import {
  matchDigitSuffix,
  hasTerms,
  maxHits,
  nameWords,
  orderByIndex,
  searchWithTimeout,
  matchDigitPrefix,
  matchTextPrefix,
} from './search-conditions.ts'
import type { SearchCriterion } from './parse-search.ts'

export type SearchHit = {
  /** The customer's id; `null` for an order that belongs to no account yet. */
  user_id: string | null
  kind: 'customer' | 'number' | 'SIM' | 'card' | 'order'
  hit: string
  /** For a number or SIM, the id of its service; for a card, the card type; otherwise `null`. */
  thing: string | null
  email: string
  first_name: string
  last_name: string
}

const searchTimeoutMs = 1_000

/** Runs a customer search; returns `null` when a query took too long. */
export function runSearch(
  db: Db,
  search: SearchCriterion,
  { atMostMs: timeoutMs = searchTimeoutMs } = {},
): Promise<SearchHit[] | null> {
  return searchWithTimeout(db, timeoutMs, (trx) => runSearchQueries(trx, search))
}

async function runSearchQueries(trx: Trx, search: SearchCriterion): Promise<SearchHit[]> {
  const hitsByQuery: SearchHit[][] = []
  for (const query of buildSearchQueries(search)) {
    const { rows } = await query.execute(trx)
    hitsByQuery.push(rows)
    // Each query for a name finds more than the one before it. If a query fills the list, the next one would add nothing.
    if (search.of === 'name' && rows.length === maxHits) break
  }
  return hitsByQuery.flat()
}

function buildSearchQueries(search: SearchCriterion): RawBuilder<SearchHit>[] {
  switch (search.of) {
    case 'order':
      return [ordersQuery(matchTextPrefix(sql`orders.order_code`, search.code))]
    case 'email':
      return [emailQuery(search.email)]
    case 'name':
      return nameQueries(search.text)
    case 'number':
      return [
        ...search.prefixes.map((digits) => matchDigitPrefix(sql`msisdn`, digits)),
        ...(search.ending ? [matchDigitSuffix(sql`msisdn`, search.ending)] : []),
      ].map((condition) => servicesQuery('number', condition))
    case 'SIM':
      return [servicesQuery('SIM', matchDigitPrefix(sql`iccid`, search.iccid))]
    case 'end':
      return [
        servicesQuery('number', matchDigitSuffix(sql`msisdn`, search.digits)),
        servicesQuery('SIM', matchDigitSuffix(sql`iccid`, search.digits)),
        cardsQuery(search.digits),
      ]
  }
}

const userColumns = sql`users.id as user_id, users.email, users.first_name, users.last_name`

const emailQuery = (email: string): RawBuilder<SearchHit> => sql<SearchHit>`
  select ${userColumns}, 'customer' as kind, email as hit, null as thing
  from users where ${matchTextPrefix(sql`email`, email)} and erased_at is null ${orderByIndex(sql`email`)} limit ${maxHits}`

/** A `prefixFrom` that no word reaches. */
const wholeWords = 1_000
const shortWordPattern = /(?<![^\s,])[^\s,]{1,2}(?![^\s,])/

/**
 * Searches for whole words first, so that longer names do not displace exact matches. Many names share the beginning of a short word such
 * as `te`, so the last query looks up short words by their beginning. It runs only if the list is not full by then.
 */
const nameQueries = (text: string): RawBuilder<SearchHit>[] =>
  [wholeWords, ...(shortWordPattern.test(text) ? [3] : []), 1].map((prefixFrom) => nameQuery(text, prefixFrom))

/**
 * Finds customers whose name has all words of the text, in any order. Words shorter than `prefixFrom` characters must match whole words. A
 * common name has too many matches to sort, so the query takes any nine of them.
 */
const nameQuery = (text: string, prefixFrom: number): RawBuilder<SearchHit> => {
  const words = sql`array_to_tsvector(${nameWords(sql`first_name || ' ' || last_name`)})`
  return sql<SearchHit>`select * from (
    select ${userColumns}, 'customer' as kind, first_name || ' ' || last_name as hit, null as thing
    from users where ${hasTerms(words, nameWords(text), { prefixFrom })} and erased_at is null limit ${maxHits}
  ) as found order by last_name, first_name, user_id`
}

const serviceColumns = { number: sql`msisdn`, SIM: sql`iccid` }

/** Finds services by number or SIM. Released numbers are included, because former customers still quote them. */
const servicesQuery = (kind: 'number' | 'SIM', condition: RawBuilder<unknown>): RawBuilder<SearchHit> => sql<SearchHit>`
  select ${userColumns}, ${kind}::text as kind, found.hit, found.thing from (
    select user_id, id as thing, ${serviceColumns[kind]} as hit, created_at from services where ${condition}
    order by ${serviceColumns[kind]} collate "C", created_at desc limit ${maxHits}
  ) as found join users on users.id = found.user_id`

/** Finds orders by code. An order without an account stores the buyer's name and address in its own columns. */
const ordersQuery = (condition: RawBuilder<unknown>): RawBuilder<SearchHit> => sql<SearchHit>`
  select users.id as user_id, coalesce(users.email, orders.email) as email,
    coalesce(users.first_name, split_part(full_name, ' ', 1)) as first_name,
    coalesce(users.last_name, substr(full_name, strpos(full_name, ' ') + 1)) as last_name,
    'order' as kind, orders.order_code as hit, null as thing
  from orders left join users on users.id = orders.user_id
  where ${condition} ${orderByIndex(sql`orders.order_code`)} limit ${maxHits}`

const cardsQuery = (digits: string): RawBuilder<SearchHit> => sql<SearchHit>`
  select ${userColumns}, 'card' as kind, saved_cards.last_four as hit, saved_cards.card_type as thing
  from saved_cards join users on users.id = saved_cards.user_id
  where saved_cards.last_four = ${digits} order by users.id limit ${maxHits}`
