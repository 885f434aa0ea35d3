import { formatNational } from '#kit/contract/phone.ts'
import { audit } from '#kit/server/audit.ts'
import type { Trx } from '#kit/server/db.ts'
import { endSessions } from '#kit/server/session.ts'
import { greet, queueMail } from '#features/messages/server/messages.ts'
import type { AuthDeps } from './auth.deps.ts'
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
  await deps.accountParts.moveAll(trx, from.id, into.id)
  await endSessions(trx, from.id, null)
  await deleteUser(trx, from.id)
  await audit(trx, deps.clock, { event: 'accounts_joined', userId: into.id, sessionId, details: { joined: from.id } })
  await queueMail(trx, deps, {
    eventKey: `accounts-joined:${from.id}`,
    to: into,
    subject: 'A phone number was added to your account',
    heading: 'Added to your account',
    paragraphs: [
      `${greet(into.first_name)}, ${phone ? formatNational(phone.phone) : 'another service'} is now part of your ` +
        `${deps.brandName} account. You will find it on your dashboard, with its invoices.`,
      'Somebody who knows the passwords of both asked for this. If it was not you, please change your password and contact us.',
    ],
    rows: [],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}
