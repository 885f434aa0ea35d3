import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { matchDigitSuffix, matchDigitPrefix } from '#features/customers/server/search-conditions.ts'
import type { SearchCriterion } from '#features/customers/server/parse-search.ts'

export type FoundService = Awaited<ReturnType<typeof findServices>>[number]
export type FoundOrder = Awaited<ReturnType<typeof findOrders>>[number]

export const findServices = async (db: Db, ids: string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('services')
        .leftJoin('schedules', 'schedules.service_id', 'services.id')
        .leftJoin('products', 'products.unique_id', 'schedules.product_id')
        .select(['services.id', 'services.msisdn', 'services.released_at', 'schedules.expires_at'])
        .select('products.title as plan')
        .where('services.id', 'in', ids)
        .execute()

export const findOrders = async (db: Db, codes: string[]) =>
  codes.length === 0
    ? []
    : db
        .selectFrom('orders')
        .select(['order_code', 'kind', 'state', 'auto_renewal', 'product', 'amount_cents', 'created_at'])
        .where('order_code', 'in', codes)
        .execute()

export type FoundPort = Awaited<ReturnType<typeof findPorts>>[number]

/** One more than the number of rows shown, to find out whether there are more. */
const maxPorts = 9

/**
 * Finds transfers of phone numbers, using the indexes `porting_requests_by_number` and `porting_requests_by_number_end`. Each number's
 * latest transfer comes first.
 */
export const findPorts = async (db: Db, { prefixes, ending }: Extract<SearchCriterion, { of: 'number' }>) => {
  const msisdn = sql`porting_requests.msisdn`
  const conditions = [
    ...prefixes.map((digits) => matchDigitPrefix(msisdn, digits)),
    ...(ending ? [matchDigitSuffix(msisdn, ending)] : []),
  ]
  const lists = []
  for (const condition of conditions)
    lists.push(
      await db
        .selectFrom('porting_requests')
        .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
        .innerJoin('services', 'services.id', 'porting_requests.service_id')
        .innerJoin('users', 'users.id', 'services.user_id')
        .select([
          'porting_requests.msisdn as hit',
          'porting_requests.external_id as thing',
          'porting_requests.status',
          'porting_providers.name as donor_name',
          'users.id as user_id',
          'users.email',
          'users.first_name',
          'users.last_name',
        ])
        .where(sql<boolean>`${condition}`)
        .orderBy(sql`porting_requests.msisdn collate "C"`)
        .orderBy('porting_requests.created_at', 'desc')
        .limit(maxPorts)
        .execute(),
    )
  return lists.flat()
}
