import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { callSupportText, buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import type { AuthDeps } from './auth.deps.ts'
import type { User } from './users.store.ts'

/**
 * Emails the customer that a service has been added to their account. `phone` is the service's number in E.164 format.
 */
export async function notifyAccountsJoined(
  trx: Trx,
  deps: AuthDeps,
  { from, into, phone }: { from: User; into: User; phone: string | null },
): Promise<void> {
  await queueMail(trx, deps, {
    eventKey: `accounts-joined:${from.id}`,
    to: into,
    subject: 'A phone number was added to your account',
    heading: 'A phone number was added to your account',
    paragraphs: [
      `${buildGreeting(deps, into.first_name)}, ${phone ? formatNational(phone) : 'another service'} is now part of your ` +
        `${deps.brandName} account. You will find it on your dashboard, with its invoices.`,
      'Someone with access to both accounts asked for this. ' +
        `If it wasn’t you, please change your password and ${callSupportText(deps)}.`,
    ],
    rows: [],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}
