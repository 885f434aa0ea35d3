import { audit } from '#kit/server/audit.ts'
import type { Trx } from '#kit/server/db.ts'
import { endSessions } from '#kit/server/session.ts'
import type { AuthDeps } from './auth.deps.ts'
import { tellOfJoinedAccount } from './join-accounts.mail.ts'
import { deleteUser, type User } from './users.store.ts'

/**
 * Makes an unverified account part of a verified one, for a caller who has shown both passwords. The caller has locked both accounts.
 * Services, orders, documents and a card, where the other has none, go over; names, password, contact phone and whatever
 * the unverified one had asked for do not.
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
  await tellOfJoinedAccount(trx, deps, { from, into, phone: phone?.phone ?? null })
}
