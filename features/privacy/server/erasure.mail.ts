import { formatMoment } from '#kit/contract/format-moment.ts'
import type { Trx } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import {
  callSupportText,
  buildGreeting,
  type NewMail,
  queueMail,
  queueSms,
  chooseFittingSmsText,
} from '#features/messages/server/messages.ts'
import { listRecipients } from '#features/messages/server/messages.store.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { legalRetention } from '../privacy.contract.ts'
import { type ErasureRequest, issueErasureLink } from './erasure-requests.store.ts'
import { replacedContactDays } from './erasure.times.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

/** The kinds of messages sent to an email address or phone number that has just been replaced on the account. */
const contactReplacementKinds = ['change-email-notice', 'phone-replaced'] as const

type ErasureRecipients = { mails: NewMail['to'][]; numbers: string[] }

/**
 * Returns every contact that may belong to the account's owner: the current email address and number, and recently
 * replaced ones.
 */
async function findErasureRecipients(trx: Trx, deps: PrivacyDeps, user: User): Promise<ErasureRecipients> {
  const since = deps.clock.now().subtract({ hours: 24 * replacedContactDays })
  const pastRecipients = await listRecipients(trx, user.id, { kinds: contactReplacementKinds, since })
  const listRecipientsByChannel = (channel: 'email' | 'sms'): string[] =>
    pastRecipients.filter((pastRecipient) => pastRecipient.channel === channel).map(({ recipient }) => recipient)
  const phone = (await deps.accountParts.phone(user.id, trx))?.phone
  return {
    mails: [user, ...listRecipientsByChannel('email').filter((address) => address !== user.email)],
    numbers: [...new Set([...(phone ? [phone] : []), ...listRecipientsByChannel('sms')])],
  }
}

const getRecipientAddress = (to: NewMail['to'], user: User): string => (typeof to === 'string' ? to : user.email)

type ErasureMail = Omit<NewMail, 'eventKey' | 'to' | 'userId'>

async function mailAllRecipients(
  trx: Trx,
  deps: PrivacyDeps,
  about: { user: User; event: string; mails: NewMail['to'][] },
  composeMail: (to: NewMail['to']) => Promise<ErasureMail>,
): Promise<void> {
  for (const to of about.mails)
    await queueMail(trx, deps, {
      ...(await composeMail(to)),
      eventKey: `${about.event}:${getRecipientAddress(to, about.user)}`,
      to,
      userId: about.user.id,
    })
}

const formatErasureMoment = (deps: PrivacyDeps, instant: Temporal.Instant): string =>
  formatMoment(instant.toString(), { zone: deps.market.zone, now: deps.clock.now().toString() })

export async function notifyErasureRequested(
  trx: Trx,
  deps: PrivacyDeps,
  user: User,
  request: ErasureRequest,
): Promise<void> {
  if (!request.due_at) return
  const erasureTime = formatErasureMoment(deps, fromDate(request.due_at))
  const { mails, numbers } = await findErasureRecipients(trx, deps, user)
  const { law, years } = legalRetention[deps.market.code]
  await mailAllRecipients(trx, deps, { user, event: `erasure-asked:${request.id}`, mails }, async (to) => ({
    subject: 'Your data will be deleted',
    heading: 'Your data will be deleted',
    paragraphs: [
      `${buildGreeting(deps, typeof to === 'string' ? '' : user.first_name)}, we were asked to delete your account and the data ` +
        `${deps.brandName} holds about you. We’ll do this on ${erasureTime}. ` +
        'Your numbers, plans and any unused data end then, and nothing is refunded.',
      `We keep your invoices for ${years} years, as ${law} requires. ` +
        'Auto-renewal is paused until we delete your data, and you won’t hear from us after that.',
      `If you’ve changed your mind, or you didn’t ask for this, use the link below before then to keep your account. ` +
        `If you didn’t ask for this, please also ${callSupportText(deps)}.`,
    ],
    rows: [['Deleted on', erasureTime]],
    button: {
      text: 'Keep my account',
      url: `${deps.publicUrl}/account/privacy/keep/?token=${await issueErasureLink(trx, request.id)}`,
    },
  }))
  for (const number of numbers)
    await queueSms(trx, deps, {
      eventKey: `erasure-asked-text:${request.id}:${number}`,
      to: number,
      userId: user.id,
      text: chooseFittingSmsText(deps, (host) => [
        `we were asked to delete your account on ${erasureTime}. If this wasn't you, ` +
          `log in at ${host} before then, or call ${deps.help.phone}`,
        `we were asked to delete your account on ${erasureTime}. Not you? Call ${deps.help.phone}`,
      ]),
    })
}

export async function notifyErasureCancelled(
  trx: Trx,
  deps: PrivacyDeps,
  user: User,
  request: ErasureRequest,
): Promise<void> {
  const { mails } = await findErasureRecipients(trx, deps, user)
  await mailAllRecipients(trx, deps, { user, event: `erasure-called-off:${request.id}`, mails }, async (to) => ({
    subject: 'We’ve kept your account',
    heading: 'We’ve kept your account',
    paragraphs: [
      `${buildGreeting(deps, typeof to === 'string' ? '' : user.first_name)}, your account will not be deleted after all. ` +
        'None of your data was deleted, and auto-renewal works as before.',
      `If you never asked us to delete it, change your password and ${callSupportText(deps)}.`,
    ],
    rows: [],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  }))
}

/** Tells the customer that their erasure has been postponed, once per erasure request. */
export const notifyErasurePostponed = (
  trx: Trx,
  deps: PrivacyDeps,
  { user, request, why }: { user: User; request: ErasureRequest; why: string },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `erasure-put-off:${request.id}`,
    to: user,
    subject: 'We couldn’t delete your data yet',
    heading: 'Your data has not been deleted yet',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, we were due to delete your data now, but we can’t do it yet. ${why}`,
      'We’ll check every day and delete it as soon as we can. Until then you can still keep your account.',
    ],
    rows: [],
    button: { text: 'See my privacy settings', url: `${deps.publicUrl}/account/privacy/` },
  })
