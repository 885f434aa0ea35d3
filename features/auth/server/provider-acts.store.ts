import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { User } from './users.store.ts'

// What a person at the provider changes of an account.

/**
 * Locks an account against all that refers to it until the transaction ends: nobody orders, saves a card or signs in meanwhile.
 * Services that it has are locked after it, without waiting for them.
 */
export const lockUserAlone = (trx: Trx, id: string): Promise<User | undefined> =>
  trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Blocks an account, or no longer. */
export async function setBlocked(trx: Trx, id: string, at: Temporal.Instant | null): Promise<void> {
  await trx
    .updateTable('users')
    .set({ blocked_at: at && toDate(at) })
    .where('id', '=', id)
    .execute()
}

/**
 * Forgets who an account was of. Its row stays for the invoices, with an address that nobody can have, and nobody signs in to it
 * or pays with it.
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

/** What is counted for this account begins anew. */
export async function countUpLimitsEpoch(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('users')
    .set((row) => ({ limits_epoch: row('limits_epoch', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
