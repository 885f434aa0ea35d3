import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
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

/** Maximum rows per search: one more than the list shows, so that the caller knows whether there are further results. */
const maxHits = 9
const searchTimeoutMs = 1_000

/** Runs a customer search; returns `null` when a query took too long. */
export async function runSearch(
  db: Db,
  search: SearchCriterion,
  { atMostMs: timeoutMs = searchTimeoutMs } = {},
): Promise<SearchHit[] | null> {
  try {
    return await transact(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(trx)
      return await runSearchQueries(trx, search)
    })
  } catch (error) {
    // 57014 is PostgreSQL's `query_canceled`, which means that the statement exceeded its timeout.
    if (error instanceof Error && 'code' in error && error.code === '57014') return null
    throw error
  }
}

async function runSearchQueries(trx: Trx, search: SearchCriterion): Promise<SearchHit[]> {
  const hitsByQuery: SearchHit[][] = []
  for (const query of buildSearchQueries(search)) hitsByQuery.push((await query.execute(trx)).rows)
  return hitsByQuery.flat()
}

function buildSearchQueries(search: SearchCriterion): RawBuilder<SearchHit>[] {
  switch (search.of) {
    case 'order':
      return [ordersQuery(matchTextPrefix(sql`orders.order_code`, search.code))]
    case 'email':
      return [usersQuery(matchTextPrefix(sql`email`, search.email), sql`email`, orderByIndex(sql`email`))]
    case 'name':
      return nameQueries(search.words)
    case 'number':
      return search.prefixes.map((digits) => servicesQuery('number', matchDigitPrefix(sql`msisdn`, digits)))
    case 'SIM':
      return [servicesQuery('SIM', matchDigitPrefix(sql`iccid`, search.iccid))]
    case 'end':
      return [
        servicesQuery('number', sql`right(msisdn, 4) = ${search.digits}`),
        servicesQuery('SIM', sql`right(iccid, 4) = ${search.digits}`),
        cardsQuery(search.digits),
      ]
  }
}

const userColumns = sql`users.id as user_id, users.email, users.first_name, users.last_name`

/**
 * Matches values that begin with `text`, by comparing with a byte range. Unlike `like`, the range can use the byte-ordered
 * index even in a generic plan. No character sorts above U+10FFFF.
 */
const matchTextPrefix = (column: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\u{10ffff}`}`

/** Matches numbers that begin with `digits`, by comparing with a byte range. In byte order, digits and `+` sort before `~`. */
const matchDigitPrefix = (column: RawBuilder<unknown>, digits: string): RawBuilder<unknown> =>
  sql`${column} collate "C" >= ${digits} and ${column} collate "C" < ${`${digits}~`}`

/** Sorts rows in index order, so that the database stops reading after `maxHits` matches. */
const orderByIndex = (...columns: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map((column) => sql`${column} using ~<~`))}`

const usersQuery = (
  condition: RawBuilder<unknown>,
  hit: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<SearchHit> =>
  sql<SearchHit>`select ${userColumns}, 'customer' as kind, ${hit} as hit, null as thing
    from users where ${condition} and erased_at is null ${order} limit ${maxHits}`

function nameQueries([first = '', ...more]: string[]): RawBuilder<SearchHit>[] {
  const remainingWords = more.join(' ')
  const nameQuery = (firstColumn: RawBuilder<unknown>, secondColumn: RawBuilder<unknown>): RawBuilder<SearchHit> => {
    const condition = matchTextPrefix(sql`lower(${firstColumn})`, first)
    return usersQuery(
      remainingWords
        ? sql`${condition} and ${matchTextPrefix(sql`lower(${secondColumn})`, remainingWords)}`
        : condition,
      sql`first_name || ' ' || last_name`,
      orderByIndex(sql`lower(${firstColumn})`, sql`lower(${secondColumn})`),
    )
  }
  return [nameQuery(sql`last_name`, sql`first_name`), nameQuery(sql`first_name`, sql`last_name`)]
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
