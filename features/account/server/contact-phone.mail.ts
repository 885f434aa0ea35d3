import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { hashToken } from '#kit/server/secrets.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { issueToken, invalidateTokens } from '#features/auth/server/tokens.store.ts'
import { buildGreeting, queueMail, queueSms, chooseFittingSmsText } from '#features/messages/server/messages.ts'
import type { ServiceNumber } from './contact-phone.store.ts'

type Recipient = { id: string; email: string; first_name: string }

/**
 * Emails the link that confirms a new contact phone and invalidates the previous link. The rate limit is counted in the
 * same transaction as the phone change, so exceeding it rolls the change back too.
 * @throws 429 after ten links in an hour
 */
export async function queuePhoneConfirmationMail(
  trx: Trx,
  deps: AuthDeps,
  user: Recipient,
  { service_id, msisdn }: ServiceNumber,
): Promise<void> {
  await countLimitUse(trx, [{ key: `phone-link:${user.id}`, times: 10, seconds: 3_600 }])
  const at = deps.clock.now()
  await invalidateTokens(trx, user.id, ['phone'], at)
  const token = await issueToken(trx, {
    purpose: 'phone',
    userId: user.id,
    email: user.email,
    subjectId: service_id,
    at,
    hours: 24,
  })
  await queueMail(trx, deps, {
    eventKey: `phone-link:${hashToken(token)}`,
    to: user,
    subject: 'Please confirm your contact phone number',
    heading: 'Confirm your contact phone',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, you chose ${formatNational(msisdn)} as the contact phone for your account. ` +
        'Please confirm it with the link below within 24 hours.',
      'Nothing changes until you confirm it. If you did not ask for this, please change your password.',
    ],
    rows: [],
    button: {
      text: 'Confirm my contact phone',
      url: `${deps.publicUrl}/account/contact-details/phone-success/?token=${token}`,
    },
  })
}

export async function notifyPhoneChanged(
  trx: Trx,
  deps: AuthDeps,
  user: Recipient,
  phone: { event: string; before: string | null; after: string },
): Promise<void> {
  await queueMail(trx, deps, {
    eventKey: `phone-changed:${phone.event}`,
    to: user,
    subject: 'Your contact phone number has changed',
    heading: 'Your contact phone has changed',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, the contact phone for your account is now ${formatNational(phone.after)}. ` +
        'From now on, we’ll send One-Time PINs to this number.',
      'If you did not change it, please change your password and check your contact details.',
    ],
    rows: [],
    button: { text: 'Check my contact details', url: `${deps.publicUrl}/account/contact-details/` },
  })
  if (!phone.before) return
  await queueSms(trx, deps, {
    eventKey: `phone-replaced:${phone.event}`,
    to: phone.before,
    userId: user.id,
    text: chooseFittingSmsText(deps, (host) => [
      `this is no longer the contact phone of your account. If you did not change it, log in at ${host} and change your password.`,
      `this is no longer the contact phone of your account. Not you? Log in at ${host} and change your password.`,
    ]),
  })
}
