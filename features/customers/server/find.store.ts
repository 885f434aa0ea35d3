import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Search } from './searches.ts'

/** A customer who was found, and by what. */
export type Found = { user_id: string; hit: string; email: string; first_name: string; last_name: string }

/** One more than is shown, to know that there are more. */
const most = 9
/** A search that takes longer is left out, and said to be. */
const longestMs = 1_000

/** The customers that a search fits, at most `most` of them; null when it took too long. */
export async function runSearch(db: Db, search: Search): Promise<Found[] | null> {
  try {
    return await transact(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(longestMs)}`.execute(trx)
      return await fitting(trx, search)
    })
  } catch (error) {
    // The server's word for a statement that was given up.
    if (error instanceof Error && 'code' in error && error.code === '57014') return null
    throw error
  }
}

async function fitting(trx: Trx, search: Search): Promise<Found[]> {
  const lists: Found[][] = []
  for (const query of queriesOf(search)) lists.push((await query.execute(trx)).rows)
  return lists.flat().slice(0, most)
}

function queriesOf(search: Search): RawBuilder<Found>[] {
  switch (search.of) {
    case 'order':
      return [ofOrders(sql`orders.order_code like ${beginning(search.code)}`)]
    case 'email':
      return [ofUsers(sql`email like ${beginning(search.email)}`, sql`email`, inOrderOf(sql`email`))]
    case 'name':
      return namesOf(search.words)
    case 'number':
      return search.beginnings.map((digits) => ofServices(sql`msisdn`, between(sql`msisdn`, digits)))
    case 'SIM':
      return [ofServices(sql`iccid`, between(sql`iccid`, search.iccid))]
    case 'end':
      return [
        ofServices(sql`msisdn`, sql`right(msisdn, 4) = ${search.digits}`),
        ofServices(sql`iccid`, sql`right(iccid, 4) = ${search.digits}`),
        ofCards(search.digits),
      ]
  }
}

const named = sql`users.id as user_id, users.email, users.first_name, users.last_name`
const beginning = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Digits and a plus sort by their bytes, and all of them before `~`. */
const between = (column: RawBuilder<unknown>, digits: string): RawBuilder<unknown> =>
  sql`${column} collate "C" >= ${digits} and ${column} collate "C" < ${`${digits}~`}`

/** In the order of their index, so that no more than `most` are read of all that fit. */
const inOrderOf = (...columns: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(columns.map((column) => sql`${column} using ~<~`))}`

const ofUsers = (fits: RawBuilder<unknown>, hit: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<Found> =>
  sql<Found>`select ${named}, ${hit} as hit from users where ${fits} and erased_at is null ${order} limit ${most}`

/** First names first or last names first; of several words the first ones are one, and the others the other. */
function namesOf([first = '', ...more]: string[]): RawBuilder<Found>[] {
  const then = more.join(' ')
  const inTurn = (one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<Found> => {
    const fits = sql`lower(${one}) like ${beginning(first)}`
    return ofUsers(
      then ? sql`${fits} and lower(${other}) like ${beginning(then)}` : fits,
      sql`first_name || ' ' || last_name`,
      inOrderOf(sql`lower(${one})`, sql`lower(${other})`),
    )
  }
  return [inTurn(sql`last_name`, sql`first_name`), inTurn(sql`first_name`, sql`last_name`)]
}

/** Of a number that was released, too: it is what its customer remembers. */
const ofServices = (column: RawBuilder<unknown>, fits: RawBuilder<unknown>): RawBuilder<Found> => sql<Found>`
  select ${named}, found.hit from (
    select user_id, ${column} as hit, created_at from services where ${fits}
    order by ${column} collate "C", created_at desc limit ${most}
  ) as found join users on users.id = found.user_id`

const ofOrders = (fits: RawBuilder<unknown>): RawBuilder<Found> => sql<Found>`
  select ${named}, orders.order_code as hit from orders join users on users.id = orders.user_id
  where ${fits} ${inOrderOf(sql`orders.order_code`)} limit ${most}`

const ofCards = (digits: string): RawBuilder<Found> => sql<Found>`
  select ${named}, saved_cards.last_four as hit from saved_cards join users on users.id = saved_cards.user_id
  where saved_cards.last_four = ${digits} order by users.id limit ${most}`
