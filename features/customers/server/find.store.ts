import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Search } from './searches.ts'

export type SearchHit = {
  /** `null` for an order without an account yet. */
  user_id: string | null
  kind: 'customer' | 'number' | 'SIM' | 'card' | 'order'
  hit: string
  /** The id of a number's service, or the type of a card; `null` for anything else. */
  thing: string | null
  email: string
  first_name: string
  last_name: string
}

/** One more than is shown, to detect further results. */
const maxHits = 9
const searchTimeoutMs = 1_000

/** `null` when a query took too long. */
export async function runSearch(
  db: Db,
  search: Search,
  { atMostMs: timeoutMs = searchTimeoutMs } = {},
): Promise<SearchHit[] | null> {
  try {
    return await transact(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(trx)
      return await runSearchQueries(trx, search)
    })
  } catch (error) {
    // PostgreSQL's code `query_canceled`, for a statement that exceeded its timeout.
    if (error instanceof Error && 'code' in error && error.code === '57014') return null
    throw error
  }
}

async function runSearchQueries(trx: Trx, search: Search): Promise<SearchHit[]> {
  const hitLists: SearchHit[][] = []
  for (const query of searchQueriesOf(search)) hitLists.push((await query.execute(trx)).rows)
  return hitLists.flat()
}

function searchQueriesOf(search: Search): RawBuilder<SearchHit>[] {
  switch (search.of) {
    case 'order':
      return [ordersQuery(startsWithText(sql`orders.order_code`, search.code))]
    case 'email':
      return [usersQuery(startsWithText(sql`email`, search.email), sql`email`, orderByIndex(sql`email`))]
    case 'name':
      return nameQueries(search.words)
    case 'number':
      return search.prefixes.map((digits) => servicesQuery('number', startsWithDigits(sql`msisdn`, digits)))
    case 'SIM':
      return [servicesQuery('SIM', startsWithDigits(sql`iccid`, search.iccid))]
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
 * A range by bytes, like the indexes. Unlike `like`, a range uses the index even in a plan that is made before the text
 * is known. No character sorts above U+10FFFF.
 */
const startsWithText = (column: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\u{10ffff}`}`

/** Digits and `+` sort by their bytes, and all of them sort before `~`. */
const startsWithDigits = (column: RawBuilder<unknown>, digits: string): RawBuilder<unknown> =>
  sql`${column} collate "C" >= ${digits} and ${column} collate "C" < ${`${digits}~`}`

/** Orders by the index, so that at most `most` matching rows are read. */
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
  const otherName = more.join(' ')
  const nameQuery = (firstColumn: RawBuilder<unknown>, secondColumn: RawBuilder<unknown>): RawBuilder<SearchHit> => {
    const condition = startsWithText(sql`lower(${firstColumn})`, first)
    return usersQuery(
      otherName ? sql`${condition} and ${startsWithText(sql`lower(${secondColumn})`, otherName)}` : condition,
      sql`first_name || ' ' || last_name`,
      orderByIndex(sql`lower(${firstColumn})`, sql`lower(${secondColumn})`),
    )
  }
  return [nameQuery(sql`last_name`, sql`first_name`), nameQuery(sql`first_name`, sql`last_name`)]
}

const serviceColumns = { number: sql`msisdn`, SIM: sql`iccid` }

/** Includes released numbers, because their customers remember them. */
const servicesQuery = (kind: 'number' | 'SIM', condition: RawBuilder<unknown>): RawBuilder<SearchHit> => sql<SearchHit>`
  select ${userColumns}, ${kind}::text as kind, found.hit, found.thing from (
    select user_id, id as thing, ${serviceColumns[kind]} as hit, created_at from services where ${condition}
    order by ${serviceColumns[kind]} collate "C", created_at desc limit ${maxHits}
  ) as found join users on users.id = found.user_id`

/** An order without an account contains the person's own data. */
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
