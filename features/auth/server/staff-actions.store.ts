import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { User } from './users.store.ts'

/**
 * Locks an account until the transaction ends. In the meantime no row that references it can be inserted, so nobody can
 * place an order, save a card or sign in. Lock order: lock the account first, then its services, without waiting for
 * them.
 */
export const lockUserForUpdate = (trx: Trx, id: string): Promise<User | undefined> =>
  trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function setUserBlockedAt(trx: Trx, id: string, at: Temporal.Instant | null): Promise<void> {
  await trx
    .updateTable('users')
    .set({ blocked_at: at && toDate(at) })
    .where('id', '=', id)
    .execute()
}

/**
 * Erases an account's personal data. The row is kept because invoices reference it, but with an email address that
 * nobody can own. Nobody can sign in to the account or pay with it any more.
 */
export async function eraseUser(trx: Trx, id: string, at: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      email: `${id}@erased.invalid`,
      email_verified_at: null,
      password_hash: '',
      first_name: '',
      last_name: '',
      marketing_consent: false,
      contact_service_id: null,
      made_by_order: null,
      made_in_session: null,
      blocked_at: toDate(at),
      erased_at: toDate(at),
      updated_at: toDate(at),
    })
    .where('id', '=', id)
    .execute()
}

export async function incrementLimitsEpoch(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('users')
    .set((row) => ({ limits_epoch: row('limits_epoch', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
