import { randomUUID } from 'node:crypto'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    users: UserTable
  }
}

type UserTable = {
  id: string
  email: string
  email_verified_at: Date | null
  password_hash: string
  first_name: string
  last_name: string
  marketing_consent: boolean
  contact_service_id: string | null
  made_by_order: string | null
  created_at: Date
  updated_at: Date
}

export const findUser = (db: Db | Trx, id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

type NewUser = Pick<UserTable, 'email' | 'password_hash' | 'first_name' | 'last_name' | 'marketing_consent' | 'made_by_order'>

/** Makes the account, or answers null when the address has one. */
export async function insertUser(trx: Trx, user: NewUser, at: Temporal.Instant): Promise<string | null> {
  const now = toDate(at)
  const row = await trx
    .insertInto('users')
    .values({ id: randomUUID(), ...user, email_verified_at: null, contact_service_id: null, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function findUserIdByEmail(db: Db | Trx, email: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id ?? null
}

/**
 * A new account's contact phone is its first number. One that was there before keeps what it has, even if that is none:
 * whoever activates a SIM in its name must not become the one who is sent its PINs.
 */
export async function setFirstContactService(trx: Trx, user: { id: string; madeByOrder: string }, serviceId: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ contact_service_id: serviceId })
    .where('id', '=', user.id)
    .where('made_by_order', '=', user.madeByOrder)
    .where('contact_service_id', 'is', null)
    .execute()
}

/** The account that an order made and that nobody has confirmed since. */
export async function findAccountMadeBy(trx: Trx, orderId: string): Promise<string | null> {
  const row = await trx.selectFrom('users').select('id').where('made_by_order', '=', orderId).where('email_verified_at', 'is', null).executeTakeFirst()
  return row?.id ?? null
}

export async function deleteUser(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute()
}

/** The address must still be the one that the link was sent to. */
export async function markVerified(trx: Trx, userId: string, email: string, now: Temporal.Instant): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ email_verified_at: toDate(now), updated_at: toDate(now) })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
