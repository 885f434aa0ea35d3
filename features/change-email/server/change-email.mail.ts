import type { Trx } from '#kit/server/db.ts'
import {
  buildOneTimeCodeLine,
  callSupportText,
  buildGreeting,
  queueMail,
  queueSms,
} from '#features/messages/server/messages.ts'
import type { ChangeEmailDeps } from './change-email.deps.ts'
import type { EmailChange } from './change-email.store.ts'

type Owner = { id: string; email: string; first_name: string }

// An email change's version increases with every PIN and link sent, so each message about the change has a unique event key.
const buildEventKey = (change: EmailChange, messageType: string): string =>
  `change-email-${messageType}:${change.id}:${change.version}`

export const sendPinSms = (
  trx: Trx,
  deps: ChangeEmailDeps,
  change: EmailChange,
  { to, pin }: { to: string; pin: string },
): Promise<void> =>
  queueSms(trx, deps, {
    eventKey: buildEventKey(change, 'pin'),
    to,
    userId: change.user_id,
    text: `${deps.brandName}: your One-Time PIN is ${pin}. It is valid for 10 minutes. Never share it.`,
    lastLine: buildOneTimeCodeLine(deps, pin),
  })

export const sendPinMail = (
  trx: Trx,
  deps: ChangeEmailDeps,
  change: EmailChange,
  { owner, pin }: { owner: Owner; pin: string },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: buildEventKey(change, 'pin'),
    to: owner,
    subject: 'Your One-Time PIN',
    heading: 'Your One-Time PIN',
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, enter this One-Time PIN to change your account’s email address. ` +
        'It is valid for 10 minutes. Never share it.',
      `If you did not ask to change your email address, don’t give this PIN to anyone, and change your password.`,
    ],
    rows: [['One-Time PIN', pin]],
    button: null,
  })

// The email to the new address does not name the customer, because its reader may be a stranger.
export const sendLinkMail = (trx: Trx, deps: ChangeEmailDeps, change: EmailChange, token: string): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: buildEventKey(change, 'link'),
    to: change.new_email,
    userId: change.user_id,
    subject: 'Please confirm your new email address',
    heading: 'Confirm your new email address',
    paragraphs: [
      `${buildGreeting(deps)}, a ${deps.brandName} customer would like to use this email address for their account. ` +
        'If that is you, confirm it with the link below while you are logged in. The link is valid for 24 hours.',
      'If it isn’t you, you don’t need to do anything.',
    ],
    rows: [],
    button: {
      text: 'Confirm my new email address',
      url: `${deps.publicUrl}/account/contact-details/change-email/?token=${token}`,
    },
  })

/**
 * Replaces the email with the link when another account has the new address. Only the owner of that address learns that
 * the account exists.
 */
export const sendAddressTakenMail = (trx: Trx, deps: ChangeEmailDeps, change: EmailChange): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: buildEventKey(change, 'link'),
    to: change.new_email,
    userId: change.user_id,
    subject: 'This email address already has an account',
    heading: 'You already have an account',
    paragraphs: [
      `${buildGreeting(deps)}, someone tried to use this email address for another ${deps.brandName} account. ` +
        'It already has an account, so nothing has changed.',
      'If it was you, log in with this address, or reset your password if you have forgotten it. ' +
        'If it wasn’t you, you don’t need to do anything.',
    ],
    rows: [],
    button: { text: 'Log in', url: `${deps.publicUrl}/login/` },
  })

export const sendCanceledMail = (trx: Trx, deps: ChangeEmailDeps, change: EmailChange, owner: Owner): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: buildEventKey(change, 'canceled'),
    to: owner,
    subject: 'We stopped a change to your email address',
    heading: 'Email change stopped',
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, someone tried to change your account’s email address. ` +
        'They were logged in, and entered a wrong One-Time PIN too many times. ' +
        'We have stopped the change, and your email address stays as it is.',
      `If it was you, you can try again tomorrow. If this wasn’t you, change your password and ${callSupportText(deps)}.`,
    ],
    rows: [],
    button: { text: 'Change my password', url: `${deps.publicUrl}/account/change-password/` },
  })

/**
 * Sends an email to both the old and the new address. The email to the old address does not mention the new one, because
 * somebody else may be reading it by now.
 */
export async function sendEmailChangedMails(
  trx: Trx,
  deps: ChangeEmailDeps,
  change: EmailChange,
  owner: Owner,
): Promise<void> {
  const heading = 'Your email address has changed'
  await queueMail(trx, deps, {
    eventKey: buildEventKey(change, 'notice'),
    to: owner,
    subject: heading,
    heading,
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, the email address for your ${deps.brandName} account has been changed. ` +
        'From now on, log in with the new address. This address is no longer used for your account.',
      `If this wasn’t you, please ${callSupportText(deps)} straight away.`,
    ],
    rows: [],
    button: null,
  })
  await queueMail(trx, deps, {
    eventKey: buildEventKey(change, 'done'),
    to: change.new_email,
    userId: change.user_id,
    subject: heading,
    heading,
    paragraphs: [
      `${buildGreeting(deps, owner.first_name)}, this is now the email address for your ${deps.brandName} account. ` +
        'Use it to log in from now on.',
    ],
    rows: [],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}
