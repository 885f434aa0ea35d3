import { randomUUID } from 'node:crypto'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { composeMail, type MailContent } from './compose.ts'
import { isMailStopped } from './mail-stops.store.ts'
import { insertMessage } from './messages.store.ts'
import { sendMessageJob } from './messages.queue.ts'

type MessageDeps = {
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  brandName: string
  colours: Colours
  publicUrl: string
}

/** What the outbox seals. */
export type MailBody = { text: string; html: string }
export type SmsBody = { text: string }

export type NewMail = MailContent & {
  /** Names the business event: the same event never makes a second mail. */
  eventKey: string
  /** An account, at its own address; or an address that is no account's yet. */
  to: string | { id: string; email: string }
  subject: string
  /** A document that goes with it, made when it is sent: `invoice:<order_code>`, of credit notes too. */
  attachment?: string
}

/** A visitor who signs up chooses the name, for an address that may be another's: one that reads as a link is left out. */
export const greet = (firstName: string): string =>
  /[/@]|\.\p{L}{2}/u.test(firstName) ? 'Kia ora' : `Kia ora ${firstName}`

/**
 * Puts a mail into the outbox, in the transaction of the change that it reports. To an account whose address belongs to
 * another person, who said so, none is written.
 */
export async function queueMail(trx: Trx, deps: MessageDeps, mail: NewMail): Promise<void> {
  const { to } = mail
  if (typeof to !== 'string' && (await isMailStopped(trx, to.id))) return
  await queue(trx, deps, {
    channel: 'email',
    eventKey: mail.eventKey,
    to: typeof to === 'string' ? to : to.email,
    subject: onOneLine(mail.subject),
    attachment: mail.attachment ?? null,
    body: composeMail(deps, mail),
  })
}

export type NewSms = {
  /** Names the business event: the same event never makes a second message. */
  eventKey: string
  /** MSISDN with its country code, `+64…`. */
  to: string
  /** Plain text. Line breaks become spaces, and what comes after 459 characters is cut. */
  text: string
}

/** Puts a text message into the outbox, in the transaction of the change that it reports. */
export const queueSms = (trx: Trx, deps: MessageDeps, { eventKey, to, text }: NewSms): Promise<void> =>
  queue(trx, deps, {
    channel: 'sms',
    eventKey,
    to,
    subject: '',
    attachment: null,
    body: { text: cut(onOneLine(text).trim()) },
  })

type Queued = {
  channel: 'email' | 'sms'
  eventKey: string
  to: string
  subject: string
  attachment: string | null
  body: MailBody | SmsBody
}

async function queue(
  trx: Trx,
  deps: MessageDeps,
  { channel, eventKey, to, subject, attachment, body }: Queued,
): Promise<void> {
  const id = randomUUID()
  const isNew = await insertMessage(
    trx,
    {
      id,
      eventKey,
      messageId: `<${id}@${new URL(deps.publicUrl).hostname}>`,
      channel,
      recipient: to,
      subject,
      attachment,
      sealedBody: deps.secrets.seal(JSON.stringify(body)),
    },
    deps.clock.now(),
  )
  if (isNew) await deps.jobs.send(trx, sendMessageJob, { messageId: id })
}

const onOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

/** Three joined messages in a phone's own alphabet hold this many characters. */
const mostCharacters = 459

const cut = (text: string): string => [...text].slice(0, mostCharacters).join('')
