import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import './services.store.ts'

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** A customer's own service and its plan. Another's, a released one and one that never was are all null. */
export async function findOwnService(db: Db | Trx, userId: string, uuid: string) {
  if (!isUuid(uuid)) return null
  const row = await db
    .selectFrom('services')
    .innerJoin('schedules', 'schedules.service_id', 'services.id')
    .innerJoin('products', 'products.unique_id', 'schedules.product_id')
    .select(['services.id', 'services.user_id', 'services.msisdn', 'services.iccid', 'services.released_at'])
    .select(['schedules.id as schedule_id', 'short_id', 'product_id', 'auto_recharge_enabled', 'expires_at'])
    // As text: drivers turn a calendar day into an instant.
    .select(sql<string>`starts_on::text`.as('starts_on'))
    .select(['products.title', 'products.sku', 'products.data_gb', 'products.length_days'])
    .where('services.id', '=', uuid)
    .where('services.user_id', '=', userId)
    .where('services.released_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
export type OwnService = NonNullable<Awaited<ReturnType<typeof findOwnService>>>

/** True when that was not so before. */
export async function setAutoRenewal(trx: Trx, { schedule_id: scheduleId }: OwnService, enabled: boolean): Promise<boolean> {
  const result = await trx
    .updateTable('schedules')
    .set({ auto_recharge_enabled: enabled })
    .where('id', '=', scheduleId)
    .where('auto_recharge_enabled', '!=', enabled)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
