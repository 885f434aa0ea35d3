import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

export const findCustomerNumber = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('services')
    .leftJoin('schedules', 'schedules.service_id', 'services.id')
    .leftJoin('products', 'products.unique_id', 'schedules.product_id')
    .leftJoin('sim_packs', 'sim_packs.iccid', 'services.iccid')
    .select(['services.id', 'services.user_id', 'services.msisdn', 'services.iccid', 'services.name'])
    .select(['services.created_at', 'services.released_at', 'sim_packs.activated_at'])
    .select(['schedules.order_id as plan_order_id', 'schedules.expires_at', 'products.title'])
    // The date is cast to text, because the driver would turn a calendar day into an instant.
    .select(sql<string | null>`starts_on::text`.as('starts_on'))
    .where('services.id', '=', id)
    .where('services.user_id', '=', userId)
    .executeTakeFirst()
export type CustomerNumberRow = NonNullable<Awaited<ReturnType<typeof findCustomerNumber>>>

const selectOrders = (db: Db) =>
  db
    .selectFrom('orders')
    .selectAll()
    .select((of) =>
      of
        .selectFrom('payment_attempts')
        .select('refusal')
        .whereRef('payment_attempts.order_id', '=', 'orders.id')
        .orderBy('attempt', 'desc')
        .limit(1)
        .as('refusal'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')

export const listNumberOrders = (db: Db, serviceId: string, limit: number) =>
  selectOrders(db).where('service_id', '=', serviceId).limit(limit).execute()
export type NumberOrderRow = Awaited<ReturnType<typeof listNumberOrders>>[number]

export const listRenewalAttempts = (db: Db, planOrderId: string, limit: number): Promise<NumberOrderRow[]> =>
  selectOrders(db).where('renews_order_id', '=', planOrderId).where('auto_renewal', '=', true).limit(limit).execute()

export const listNumberPorts = (db: Db, serviceId: string, limit: number) =>
  db
    .selectFrom('porting_requests')
    .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
    .select(['external_id', 'msisdn', 'status', 'created_at', 'porting_providers.name as donor_name'])
    .where('service_id', '=', serviceId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
export type NumberPortRow = Awaited<ReturnType<typeof listNumberPorts>>[number]
