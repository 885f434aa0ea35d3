import { audit } from '#kit/server/audit.ts'
import type { Trx } from '#kit/server/db.ts'
import { endSessions } from '#kit/server/session.ts'
import type { AuthDeps } from './auth.deps.ts'
import { notifyAccountsJoined } from './join-accounts.mail.ts'
import { deleteUser, type User } from './users.store.ts'

/**
 * Merges an unverified account into a verified one. Callers must hold locks on both accounts and have checked that the
 * customer owns both. Services, orders and documents move across, and so does a saved card if the verified account has
 * none. The unverified account's name, password, contact phone and open requests are deleted.
 */
export async function joinAccounts(
  trx: Trx,
  deps: AuthDeps,
  { from, into }: { from: User; into: User },
  sessionId: string | null,
): Promise<void> {
  if (from.email_verified_at || !into.email_verified_at)
    throw new Error('only an unverified account becomes part of a verified one')
  const phone = await deps.accountParts.phone(from.id, trx)
  await deps.accountParts.reassignAll(trx, from.id, into.id)
  await endSessions(trx, from.id, null)
  await deleteUser(trx, from.id)
  await audit(trx, deps.clock, { event: 'accounts_joined', userId: into.id, sessionId, details: { joined: from.id } })
  await notifyAccountsJoined(trx, deps, { from, into, phone: phone?.phone ?? null })
}
