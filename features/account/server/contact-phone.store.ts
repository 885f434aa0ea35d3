import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    phone_changes: { user_id: string; service_id: string; created_at: Date }
  }
}

/** The number that PINs go to; null without one, and once its service is released. */
export async function findContactPhone(db: Db | Trx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .innerJoin('services', 'services.id', 'users.contact_service_id')
    .select('services.msisdn')
    .where('users.id', '=', userId)
    .where('services.user_id', '=', userId)
    .where('services.released_at', 'is', null)
    .executeTakeFirst()
  return row?.msisdn ?? null
}

/** The number that waits for its link to be followed. */
export async function findPhoneChange(db: Db | Trx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('phone_changes')
    .innerJoin('services', 'services.id', 'phone_changes.service_id')
    .select('services.msisdn')
    .where('phone_changes.user_id', '=', userId)
    .where('services.user_id', '=', userId)
    .where('services.released_at', 'is', null)
    .executeTakeFirst()
  return row?.msisdn ?? null
}
