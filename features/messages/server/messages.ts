import { randomUUID } from 'node:crypto'
import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { composeMail, type MailContent } from './mail-content.ts'
import { truncateToOneSms, fitsInOneSms, toGsmText } from './gsm-text.ts'
import { findMailStoppedUsers } from './mail-stops.store.ts'
import { computeJobLossDeadline, messageQueue, type SendCondition } from './messages.store.ts'
import { insertMessages, type NewMessage } from './outbox.store.ts'
import type { StatedFacts } from './stated-facts.store.ts'

export type MessageDeps = {
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  market: Pick<Market, 'code'>
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /** A random id if staff resend the message, so that it is not taken for the first one. */
  resendId?: string
}

export type MailBody = { text: string; html: string }
export type SmsBody = { text: string }

export type NewMail = MailContent & {
  /**
   * Identifies the business event, so that the same event never creates a second email. The key starts with the message's
   * kind and the id of its subject, as in `refund:<id>`.
   */
  eventKey: string
  to: string | { id: string; email: string }
  userId?: string
  subject: string
  /** The document to attach, such as `invoice:<order_code>` for an invoice or credit note. It is created when the email is sent. */
  attachment?: string
  onlyWhile?: SendCondition
  /** What the email states. Without these facts, staff cannot send a copy. */
  stated?: StatedFacts
}

/** The part of an email that its copy repeats. The first paragraph continues the sentence that starts with the greeting. */
export type CopyableContent = Pick<MailContent, 'paragraphs' | 'rows'>

const greetings = { NZ: 'Kia ora', AU: 'Hello' }

/**
 * An email's greeting. Anybody can sign up with a made-up name and someone else's address, so a name that looks like a link
 * is left out.
 */
export function buildGreeting({ market }: Pick<MessageDeps, 'market'>, firstName = ''): string {
  const hello = greetings[market.code]
  return firstName === '' || /[/@]|\.\p{L}{2}/u.test(firstName) ? hello : `${hello} ${firstName}`
}

export const callSupportText = ({ help: { phone, hours } }: Pick<MessageDeps, 'help'>): string =>
  `call us on ${phone} (${hours})`

export type OutboxMessage = { mail: NewMail } | { sms: NewSms }

/**
 * Inserts any number of emails and texts into the outbox with three statements, in the same transaction as the change that they report. The
 * messages are not urgent, so they get no jobs of their own: each process picks up as many from the table as it can send.
 */
export async function queueMessages(
  trx: Trx,
  deps: MessageDeps,
  outboxMessages: readonly OutboxMessage[],
): Promise<void> {
  const insertedIds = await insertOutboxMessages(trx, deps, outboxMessages, toDate(realNow()))
  if (insertedIds.size > 0) deps.jobs.fetchMore(trx, messageQueue.queue)
}

/** Inserts a single message with its own job, so that it is sent ahead of messages from `queueMessages`. */
export async function queueMessage(trx: Trx, deps: MessageDeps, outboxMessage: OutboxMessage): Promise<void> {
  const jobLostAt = computeJobLossDeadline()
  for (const messageId of await insertOutboxMessages(trx, deps, [outboxMessage], jobLostAt))
    await deps.jobs.send(trx, messageQueue, messageId, jobLostAt.getTime())
}

/** Inserts messages and returns their ids. Skips emails to an account if the owner of its address has stopped them. */
async function insertOutboxMessages(
  trx: Trx,
  deps: MessageDeps,
  outboxMessages: readonly OutboxMessage[],
  foundAt: Date,
): Promise<Set<string>> {
  if (outboxMessages.length === 0) return new Set()
  const accounts = outboxMessages.flatMap((letter) =>
    'mail' in letter ? (getRecipientAccountId(letter.mail) ?? []) : [],
  )
  const mailStoppedUserIds = await findMailStoppedUsers(trx, [...new Set(accounts)])
  const messages = outboxMessages
    .filter((letter) => 'sms' in letter || !mailStoppedUserIds.has(getRecipientAccountId(letter.mail) ?? ''))
    .map((letter) =>
      sealMessage(deps, 'mail' in letter ? composeFromMail(deps, letter.mail) : composeFromSms(letter.sms)),
    )
  return messages.length > 0 ? insertMessages(trx, messages, { at: deps.clock.now(), foundAt }) : new Set()
}

const getRecipientAccountId = ({ to }: NewMail): string | null => (typeof to === 'string' ? null : to.id)

export const queueMail = (trx: Trx, deps: MessageDeps, mail: NewMail): Promise<void> =>
  queueMessage(trx, deps, { mail })

export const queueSms = (trx: Trx, deps: MessageDeps, sms: NewSms): Promise<void> => queueMessage(trx, deps, { sms })

/** Maximum length of the host name in a text message. A longer name would leave no room for the message. */
const maxHostLength = 30

/**
 * Returns the first variant that fits into one text message. We advise customers never to trust links in texts, so each variant contains
 * the name of the host to log in at instead of a link.
 */
export function chooseFittingSmsText(
  { brandShortName, publicUrl }: { brandShortName: string; publicUrl: string },
  variants: (host: string) => [string, ...string[]],
): string {
  const { host } = new URL(publicUrl)
  const [longestText, ...shorterTexts] = variants(host.length > maxHostLength ? 'our website' : host).map((variant) =>
    toGsmText(`${brandShortName}: ${variant}`),
  ) as [string, ...string[]]
  return [longestText, ...shorterTexts].find(fitsInOneSms) ?? shorterTexts.at(-1) ?? longestText
}

/**
 * The last line of a text with a One-Time PIN that the customer enters on our own page. Browsers read it and offer the PIN on that site
 * only (WICG, "Origin-bound one-time codes delivered via SMS"). A PIN that a caller reads out gets no such line.
 */
export const buildOneTimeCodeLine = ({ publicUrl }: { publicUrl: string }, pin: string): string =>
  `@${new URL(publicUrl).hostname} #${pin}`

export type NewSms = {
  eventKey: string
  /** The recipient's number in international format, such as `+64…`. */
  to: string
  userId: string
  /** The content of a single text message. Unsupported accents are removed, and text beyond the limit is truncated. */
  text: string
  /** A line below the text, which is left out if both do not fit into one text message. */
  lastLine?: string
  onlyWhile?: SendCondition
}

type ComposedMessage = {
  channel: 'email' | 'sms'
  eventKey: string
  to: string
  userId: string | null
  subject: string
  attachment: string | null
  body: MailBody | SmsBody
  onlyWhile: SendCondition | null
  stated: StatedFacts | null
}

const composeFromMail = (deps: MessageDeps, mail: NewMail): ComposedMessage => ({
  channel: 'email',
  eventKey: mail.eventKey,
  to: typeof mail.to === 'string' ? mail.to : mail.to.email,
  userId: getRecipientAccountId(mail) ?? mail.userId ?? null,
  subject: toSingleLine(mail.subject),
  attachment: mail.attachment ?? null,
  body: composeMail(deps, mail),
  onlyWhile: mail.onlyWhile ?? null,
  stated: mail.stated ?? null,
})

function composeSmsText({ text, lastLine }: NewSms): string {
  const firstLine = truncateToOneSms(toGsmText(toSingleLine(text).trim()))
  const lines = `${firstLine}\n${lastLine}`
  return lastLine !== undefined && fitsInOneSms(lines) ? lines : firstLine
}

const composeFromSms = (sms: NewSms): ComposedMessage => ({
  channel: 'sms',
  eventKey: sms.eventKey,
  to: sms.to,
  userId: sms.userId,
  subject: '',
  attachment: null,
  body: { text: composeSmsText(sms) },
  onlyWhile: sms.onlyWhile ?? null,
  stated: null,
})

function sealMessage(deps: MessageDeps, { to, body, eventKey, ...message }: ComposedMessage): NewMessage {
  const id = randomUUID()
  const [kind = '', ref = ''] = eventKey.split(':')
  return {
    ...message,
    id,
    kind,
    ref,
    eventKey: deps.resendId === undefined ? eventKey : `${eventKey}:again:${deps.resendId}`,
    messageId: `<${id}@${new URL(deps.publicUrl).hostname}>`,
    recipient: to,
    sealedBody: deps.secrets.seal(JSON.stringify(body)),
  }
}

const toSingleLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')
