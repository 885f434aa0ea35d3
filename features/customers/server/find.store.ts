import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Search } from './searches.ts'

export type Found = {
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
const most = 9
const longestMs = 1_000

/** `null` when a query took too long. */
export async function runSearch(db: Db, search: Search, { atMostMs = longestMs } = {}): Promise<Found[] | null> {
  try {
    return await transact(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(atMostMs)}`.execute(trx)
      return await fitting(trx, search)
    })
  } catch (error) {
    // PostgreSQL's code `query_canceled`, for a statement that exceeded its timeout.
    if (error instanceof Error && 'code' in error && error.code === '57014') return null
    throw error
  }
}

async function fitting(trx: Trx, search: Search): Promise<Found[]> {
  const lists: Found[][] = []
  for (const query of queriesOf(search)) lists.push((await query.execute(trx)).rows)
  return lists.flat()
}

function queriesOf(search: Search): RawBuilder<Found>[] {
  switch (search.of) {
    case 'order':
      return [ofOrders(beginsWith(sql`orders.order_code`, search.code))]
    case 'email':
      return [ofUsers(beginsWith(sql`email`, search.email), sql`email`, inOrderOf(sql`email`))]
    case 'name':
      return namesOf(search.words)
    case 'number':
      return search.beginnings.map((digits) => ofServices('number', between(sql`msisdn`, digits)))
    case 'SIM':
      return [ofServices('SIM', between(sql`iccid`, search.iccid))]
    case 'end':
      return [
        ofServices('number', sql`right(msisdn, 4) = ${search.digits}`),
        ofServices('SIM', sql`right(iccid, 4) = ${search.digits}`),
        ofCards(search.digits),
      ]
  }
}

const named = sql`users.id as user_id, users.email, users.first_name, users.last_name`

/**
 * A range by bytes, like the indexes. Unlike `like`, a range uses the index even in a plan that is made before the text
 * is known. No character sorts above U+10FFFF.
 */
const beginsWith = (column: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\u{10ffff}`}`

/** Digits and `+` sort by their bytes, and all of them sort before `~`. */
const between = (column: RawBuilder<unknown>, digits: string): RawBuilder<unknown> =>
  sql`${column} collate "C" >= ${digits} and ${column} collate "C" < ${`${digits}~`}`

/** Orders by the index, so that at most `most` matching rows are read. */
const inOrderOf = (...columns: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map((column) => sql`${column} using ~<~`))}`

const ofUsers = (fits: RawBuilder<unknown>, hit: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<Found> =>
  sql<Found>`select ${named}, 'customer' as kind, ${hit} as hit, null as thing
    from users where ${fits} and erased_at is null ${order} limit ${most}`

function namesOf([first = '', ...more]: string[]): RawBuilder<Found>[] {
  const then = more.join(' ')
  const inTurn = (one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<Found> => {
    const fits = beginsWith(sql`lower(${one})`, first)
    return ofUsers(
      then ? sql`${fits} and ${beginsWith(sql`lower(${other})`, then)}` : fits,
      sql`first_name || ' ' || last_name`,
      inOrderOf(sql`lower(${one})`, sql`lower(${other})`),
    )
  }
  return [inTurn(sql`last_name`, sql`first_name`), inTurn(sql`first_name`, sql`last_name`)]
}

const columns = { number: sql`msisdn`, SIM: sql`iccid` }

/** Includes released numbers, because their customers remember them. */
const ofServices = (kind: 'number' | 'SIM', fits: RawBuilder<unknown>): RawBuilder<Found> => sql<Found>`
  select ${named}, ${kind}::text as kind, found.hit, found.thing from (
    select user_id, id as thing, ${columns[kind]} as hit, created_at from services where ${fits}
    order by ${columns[kind]} collate "C", created_at desc limit ${most}
  ) as found join users on users.id = found.user_id`

/** An order without an account contains the person's own data. */
const ofOrders = (fits: RawBuilder<unknown>): RawBuilder<Found> => sql<Found>`
  select users.id as user_id, coalesce(users.email, orders.email) as email,
    coalesce(users.first_name, split_part(full_name, ' ', 1)) as first_name,
    coalesce(users.last_name, substr(full_name, strpos(full_name, ' ') + 1)) as last_name,
    'order' as kind, orders.order_code as hit, null as thing
  from orders left join users on users.id = orders.user_id
  where ${fits} ${inOrderOf(sql`orders.order_code`)} limit ${most}`

const ofCards = (digits: string): RawBuilder<Found> => sql<Found>`
  select ${named}, 'card' as kind, saved_cards.last_four as hit, saved_cards.card_type as thing
  from saved_cards join users on users.id = saved_cards.user_id
  where saved_cards.last_four = ${digits} order by users.id limit ${most}`
