import { randomUUID } from 'node:crypto'
import type { Trx } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import {
  buildOneTimeCodeLine,
  callSupportText,
  buildGreeting,
  queueMail,
  queueSms,
} from '#features/messages/server/messages.ts'
import type { AuthDeps } from './auth.deps.ts'
import type { User } from './users.store.ts'

type Recipient = Pick<User, 'id' | 'email' | 'first_name'>

export type ResetAccount = { user: Recipient; phone: string | null; link: string }

export async function queueResetLinkMail(
  trx: Trx,
  deps: AuthDeps,
  accounts: readonly [ResetAccount, ...ResetAccount[]],
  requestId: string,
): Promise<void> {
  const [{ user }] = accounts
  await queueMail(trx, deps, {
    eventKey: `password-reset:${requestId}:${user.id}`,
    to: user,
    subject: `Set a new password for ${deps.brandName}`,
    heading: 'Set a new password',
    rows: [],
    ...(accounts.length === 1 ? buildSingleAccountMail(deps, accounts[0]) : buildSeveralAccountsMail(deps, accounts)),
  })
}

const buildSingleAccountMail = (deps: AuthDeps, { user, phone, link }: ResetAccount) => ({
  paragraphs: [
    `${buildGreeting(deps, user.first_name)}, someone asked for a new password for your ${deps.brandName} account` +
      `${phone ? ` with ${phone}` : ''}. If it was you, set a new password with the link below.`,
    'The link works once, within one hour. If it wasn’t you, you don’t need to do anything. Your password hasn’t changed.',
  ],
  button: { text: 'Set a new password', url: link },
})

/**
 * Builds the email for an address with several accounts. It greets nobody by name, because different people may have
 * created the accounts.
 */
const buildSeveralAccountsMail = (deps: AuthDeps, accounts: readonly ResetAccount[]) => ({
  paragraphs: [
    `${buildGreeting(deps)}, someone asked for a new password. ${accounts.length} ${deps.brandName} accounts have this email address. ` +
      'If it was you, use the link for the account you want to log in to.',
    ...accounts.map(({ phone, link }) => `${phone ? `Account with ${phone}` : 'Account without a number'}: ${link}`),
    'Each link works once, within one hour. If it wasn’t you, you don’t need to do anything. The passwords haven’t changed.',
  ],
  button: null,
})

export async function queueResetPinSms(
  trx: Trx,
  deps: AuthDeps,
  { to, userId, pin, token, minutes }: { to: string; userId: string; pin: string; token: string; minutes: number },
): Promise<void> {
  await queueSms(trx, deps, {
    eventKey: `reset-pin:${hashToken(token)}:${deps.clock.now().epochNanoseconds}`,
    to,
    userId,
    text: `${deps.brandShortName}: your One-Time PIN to set a new password is ${pin}. It is valid for ${minutes} minutes. Never share it.`,
    lastLine: buildOneTimeCodeLine(deps, pin),
  })
}

/** Emails the owner whenever the password changes, in case somebody else changed it. */
export async function notifyPasswordChanged(trx: Trx, deps: AuthDeps, owner: Recipient): Promise<void> {
  await queueMail(trx, deps, {
    eventKey: `password-changed:${randomUUID()}`,
    to: owner,
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, the password for your ${deps.brandName} account has just been changed, ` +
        'and every other device was logged out.',
      'If that was you, you don’t need to do anything. ' +
        `If it wasn’t, set a new password with the link below straight away, and ${callSupportText(deps)}.`,
    ],
    rows: [],
    button: { text: 'This wasn’t me', url: `${deps.publicUrl}/forgot-password/` },
  })
}
