import { randomUUID } from 'node:crypto'
import type { Trx } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { callUs, greet, queueMail, queueSms } from '#features/messages/server/messages.ts'
import type { AuthDeps } from './auth.deps.ts'
import type { User } from './users.store.ts'

/** Who a mail goes to. */
type Recipient = Pick<User, 'id' | 'email' | 'first_name'>

/** The link to set a new password. `phone` tells the accounts of one address apart. */
export async function sendResetLink(
  trx: Trx,
  deps: AuthDeps,
  user: Recipient,
  { requestId, phone, link }: { requestId: string; phone: string | null; link: string },
): Promise<void> {
  const account = phone ? `your ${deps.brandName} account with ${phone}` : `your ${deps.brandName} account`
  await queueMail(trx, deps, {
    eventKey: `password-reset:${requestId}:${user.id}`,
    to: user,
    subject: `Set a new password for ${deps.brandName}`,
    heading: 'Set a new password',
    paragraphs: [
      `${greet(deps, user.first_name)}, somebody asked for a new password for ${account}. If that was you, set one with the link below.`,
      'The link works once, and for one hour. If it was not you, there is nothing you need to do: your password stays as it is.',
    ],
    rows: [],
    button: { text: 'Set a new password', url: link },
  })
}

/** The PIN that is asked for beside the link `token` of an account whose address is not verified. */
export async function sendResetPin(
  trx: Trx,
  deps: AuthDeps,
  { to, userId, pin, token, minutes }: { to: string; userId: string; pin: string; token: string; minutes: number },
): Promise<void> {
  await queueSms(trx, deps, {
    eventKey: `reset-pin:${hashToken(token)}:${deps.clock.now().epochNanoseconds}`,
    to,
    userId,
    text: `${deps.brandName}: your One-Time PIN to set a new password is ${pin}. It is valid for ${minutes} minutes. Never share it.`,
  })
}

/** After the act, whoever did it: the owner may be another. */
export async function tellOfNewPassword(trx: Trx, deps: AuthDeps, owner: Recipient): Promise<void> {
  await queueMail(trx, deps, {
    eventKey: `password-changed:${randomUUID()}`,
    to: owner,
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      `${greet(deps, owner.first_name)}, the password of your ${deps.brandName} account has just been changed, ` +
        'and everybody who was logged in to it elsewhere was logged out.',
      'If that was you, there is nothing more to do. If it was not, set a new password with the link below at once, and ' +
        `${callUs(deps)}.`,
    ],
    rows: [],
    button: { text: 'It was not me', url: `${deps.publicUrl}/forgot-password/` },
  })
}
