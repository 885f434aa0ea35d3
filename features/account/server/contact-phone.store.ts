import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { queryPart, type Value } from '#kit/server/combined-query.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    phone_changes: { user_id: string; service_id: string; created_at: Date }
  }
}

export type ServiceNumber = { service_id: string; msisdn: string }

/**
 * The phone number that receives one-time PINs; `null` when the customer has not chosen one or its service has been
 * released.
 */
export const findContactPhone = async (db: Db | Trx, userId: string): Promise<string | null> =>
  (await contactPhoneQuery(db, userId).executeTakeFirst())?.msisdn ?? null

export const findPendingNumber = (db: Db | Trx, userId: string): Promise<ServiceNumber | undefined> =>
  pendingNumberQuery(db, userId).executeTakeFirst()

export const contactPhoneQueryPart = (db: Db, userId: Value) => queryPart(contactPhoneQuery(db, userId), {})
export const pendingNumberQueryPart = (db: Db, userId: Value) => queryPart(pendingNumberQuery(db, userId), {})

const contactPhoneQuery = (db: Db | Trx, userId: Value) =>
  db
    .selectFrom('users')
    .innerJoin('services', 'services.id', 'users.contact_service_id')
    .select('services.msisdn')
    .where('users.id', '=', userId)
    .where('services.user_id', '=', userId)
    .where('services.released_at', 'is', null)

const pendingNumberQuery = (db: Db | Trx, userId: Value) =>
  db
    .selectFrom('phone_changes')
    .innerJoin('services', 'services.id', 'phone_changes.service_id')
    .select(['phone_changes.service_id', 'services.msisdn'])
    .where('phone_changes.user_id', '=', userId)
    .where('services.user_id', '=', userId)
    .where('services.released_at', 'is', null)

export async function savePendingNumber(
  trx: Trx,
  userId: string,
  serviceId: string,
  at: Temporal.Instant,
): Promise<void> {
  const change = { service_id: serviceId, created_at: toDate(at) }
  await trx
    .insertInto('phone_changes')
    .values({ user_id: userId, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

export async function deletePendingNumber(trx: Trx, userId: string): Promise<boolean> {
  const result = await trx.deleteFrom('phone_changes').where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows > 0n
}
