import type { Selectable } from 'kysely'
import { fromDate } from '#kit/server/clock.ts'
import type { Tables, Trx } from '#kit/server/db.ts'
import './services.store.ts'

export type ServiceRow = Selectable<Tables['services']>
export type PlanOfService = { shortId: string; title: string; expiresAt: Temporal.Instant }

export const lockService = (trx: Trx, id: string): Promise<ServiceRow | undefined> =>
  trx.selectFrom('services').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export async function findPlanOf(trx: Trx, serviceId: string): Promise<PlanOfService | null> {
  const row = await trx
    .selectFrom('schedules')
    .innerJoin('products', 'products.unique_id', 'schedules.product_id')
    .select(['schedules.short_id', 'products.title', 'schedules.expires_at'])
    .where('service_id', '=', serviceId)
    .executeTakeFirst()
  return row ? { shortId: row.short_id, title: row.title, expiresAt: fromDate(row.expires_at) } : null
}
