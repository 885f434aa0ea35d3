import { randomUUID } from 'node:crypto'
import type { Trx } from '#kit/server/db.ts'
import { buildGreeting, queueMail } from '#features/messages/server/messages.ts'
import type { AuthDeps } from './auth.deps.ts'
import type { User } from './users.store.ts'

export async function sendVerificationMail(trx: Trx, deps: AuthDeps, user: User, token: string): Promise<void> {
  await queueMail(trx, deps, {
    // Use a random key, because every request must send a new email.
    eventKey: `verify:${randomUUID()}`,
    to: user,
    subject: 'Please confirm your email address',
    heading: 'Confirm your email address',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, please confirm your email address with the link below.`,
      'The link works once, within 7 days. Earlier links no longer work. ' +
        'If you don’t have an account with us, you can ignore this email.',
    ],
    rows: [],
    button: { text: 'Confirm my email address', url: `${deps.publicUrl}/verify/?token=${token}` },
  })
}
