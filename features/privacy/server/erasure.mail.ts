import { formatMoment } from '#kit/contract/moments.ts'
import type { Trx } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import { callUs, greet, type NewMail, queueMail, queueSms, textOf } from '#features/messages/server/messages.ts'
import { listRecipients } from '#features/messages/server/messages.store.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { keptByLaw } from '../privacy.contract.ts'
import { type ErasureRequest, issueErasureLink } from './erasure-requests.store.ts'
import { leftDays } from './erasure.times.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

/** The kinds of messages that tell an address or a number that it no longer belongs to the account. */
const tellsOfLeaving = ['change-email-notice', 'phone-replaced'] as const

type Reached = { mails: NewMail['to'][]; numbers: string[] }

/** Everyone who may be the account's owner: its current address and number, and those that it had recently. */
async function reachedBy(trx: Trx, deps: PrivacyDeps, user: User): Promise<Reached> {
  const since = deps.clock.now().subtract({ hours: 24 * leftDays })
  const left = await listRecipients(trx, user.id, { kinds: tellsOfLeaving, since })
  const to = (channel: 'email' | 'sms'): string[] =>
    left.filter((one) => one.channel === channel).map(({ recipient }) => recipient)
  const phone = (await deps.accountParts.phone(user.id, trx))?.phone
  return {
    mails: [user, ...to('email').filter((address) => address !== user.email)],
    numbers: [...new Set([...(phone ? [phone] : []), ...to('sms')])],
  }
}

const toWhom = (to: NewMail['to'], user: User): string => (typeof to === 'string' ? to : user.email)

type Letter = Omit<NewMail, 'eventKey' | 'to' | 'userId'>

async function writeToAll(
  trx: Trx,
  deps: PrivacyDeps,
  about: { user: User; event: string; mails: NewMail['to'][] },
  write: (to: NewMail['to']) => Promise<Letter>,
): Promise<void> {
  for (const to of about.mails)
    await queueMail(trx, deps, {
      ...(await write(to)),
      eventKey: `${about.event}:${toWhom(to, about.user)}`,
      to,
      userId: about.user.id,
    })
}

const momentOf = (deps: PrivacyDeps, instant: Temporal.Instant): string =>
  formatMoment(instant.toString(), { zone: deps.market.zone, now: deps.clock.now().toString() })

export async function tellOfErasure(trx: Trx, deps: PrivacyDeps, user: User, request: ErasureRequest): Promise<void> {
  if (!request.due_at) return
  const when = momentOf(deps, fromDate(request.due_at))
  const { mails, numbers } = await reachedBy(trx, deps, user)
  const { law, years } = keptByLaw[deps.market.code]
  await writeToAll(trx, deps, { user, event: `erasure-asked:${request.id}`, mails }, async (to) => ({
    subject: 'Your data will be deleted',
    heading: 'Your data will be deleted',
    paragraphs: [
      `${greet(deps, typeof to === 'string' ? '' : user.first_name)}, we were asked to delete your account and the data ` +
        `${deps.brandName} holds about you. We’ll do this on ${when}. Your numbers, plans and any unused data end ` +
        'then, and nothing is refunded.',
      `We keep your invoices for ${years} years, as ${law} requires. Auto-renewal is paused until we delete your data, ` +
        'and you won’t hear from us after that.',
      `If you’ve changed your mind, or you didn’t ask for this, use the link below before then to keep your account. ` +
        `If you didn’t ask for this, please also ${callUs(deps)}.`,
    ],
    rows: [['Deleted on', when]],
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
      text: textOf(deps, (host) => [
        `we were asked to delete your account on ${when}. If this wasn't you, ` +
          `log in at ${host} before then, or call ${deps.help.phone}`,
        `we were asked to delete your account on ${when}. Not you? Call ${deps.help.phone}`,
      ]),
    })
}

export async function tellOfCallingOff(
  trx: Trx,
  deps: PrivacyDeps,
  user: User,
  request: ErasureRequest,
): Promise<void> {
  const { mails } = await reachedBy(trx, deps, user)
  await writeToAll(trx, deps, { user, event: `erasure-called-off:${request.id}`, mails }, async (to) => ({
    subject: 'We’ve kept your account',
    heading: 'We’ve kept your account',
    paragraphs: [
      `${greet(deps, typeof to === 'string' ? '' : user.first_name)}, your account will not be deleted after all. ` +
        'None of your data was deleted, and auto-renewal works as before.',
      `If you never asked us to delete it, change your password and ${callUs(deps)}.`,
    ],
    rows: [],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  }))
}

/** Sent once per erasure request. */
export const tellOfPuttingOff = (
  trx: Trx,
  deps: PrivacyDeps,
  { user, request, why }: { user: User; request: ErasureRequest; why: string },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `erasure-put-off:${request.id}`,
    to: user,
    subject: 'We couldn’t delete your data yet',
    heading: 'Not deleted yet',
    paragraphs: [
      `${greet(deps, user.first_name)}, your data was due to be deleted now, but something isn’t finished. ${why}`,
      'We’ll check every day and delete it as soon as we can. Until then you can still keep your account.',
    ],
    rows: [],
    button: { text: 'See my privacy settings', url: `${deps.publicUrl}/account/privacy/` },
  })
