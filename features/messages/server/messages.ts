import { randomUUID } from 'node:crypto'
import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { composeMail, type MailContent } from './compose.ts'
import { cutToOneText, isOneText, toGsm } from './gsm.ts'
import { findStopped } from './mail-stops.store.ts'
import { jobIsLostAt, messageRetries, type Premise } from './messages.store.ts'
import { insertMessages, type NewMessage } from './outbox.store.ts'

export type MessageDeps = {
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  market: Pick<Market, 'code'>
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  again?: string
}

export type MailBody = { text: string; html: string }
export type SmsBody = { text: string }

export type NewMail = MailContent & {
  /**
   * Identifies the business event, so that an event never creates a second mail. It begins with the kind and the
   * subject: `refund:<id>`.
   */
  eventKey: string
  to: string | { id: string; email: string }
  userId?: string
  subject: string
  /** A document to attach, created when the mail is sent: `invoice:<order_code>`, also for credit notes. */
  attachment?: string
  onlyWhile?: Premise
}

const greetings = { NZ: 'Kia ora', AU: 'Hello' }

/**
 * A visitor who signs up chooses the name for an address that may belong to somebody else. A name that looks like a
 * link is therefore left out.
 */
export function greet({ market }: Pick<MessageDeps, 'market'>, firstName = ''): string {
  const hello = greetings[market.code]
  return firstName === '' || /[/@]|\.\p{L}{2}/u.test(firstName) ? hello : `${hello} ${firstName}`
}

export const callUs = ({ help: { phone, hours } }: Pick<MessageDeps, 'help'>): string =>
  `call us on ${phone} (${hours})`

export type Letter = { mail: NewMail } | { sms: NewSms }

/**
 * Inserts many mails and texts into the outbox with three statements, in the transaction of the change that they
 * report. They have no jobs, because nobody waits for them. Processes find them by their rows, and no process takes
 * more than it can send.
 */
export async function queueLetters(trx: Trx, deps: MessageDeps, letters: readonly Letter[]): Promise<void> {
  const fresh = await insertLetters(trx, deps, letters, toDate(realNow()))
  if (fresh.size > 0) deps.jobs.fetchMore(trx, messageRetries.queue)
}

/** Inserts one message with a job of its own, so that it is sent before those of `queueLetters`. */
export async function queueLetter(trx: Trx, deps: MessageDeps, letter: Letter): Promise<void> {
  const lostAt = jobIsLostAt()
  for (const messageId of await insertLetters(trx, deps, [letter], lostAt))
    await deps.jobs.send(trx, messageRetries, messageId, lostAt.getTime())
}

/** Skips mails to accounts whose address's owner has stopped them. Returns the ids of the inserted messages. */
async function insertLetters(
  trx: Trx,
  deps: MessageDeps,
  letters: readonly Letter[],
  foundAt: Date,
): Promise<Set<string>> {
  if (letters.length === 0) return new Set()
  const accounts = letters.flatMap((letter) => ('mail' in letter ? (accountOf(letter.mail) ?? []) : []))
  const stopped = await findStopped(trx, [...new Set(accounts)])
  const messages = letters
    .filter((letter) => 'sms' in letter || !stopped.has(accountOf(letter.mail) ?? ''))
    .map((letter) => sealed(deps, 'mail' in letter ? ofMail(deps, letter.mail) : ofSms(letter.sms)))
  return messages.length > 0 ? insertMessages(trx, messages, { at: deps.clock.now(), foundAt }) : new Set()
}

const accountOf = ({ to }: NewMail): string | null => (typeof to === 'string' ? null : to.id)

export const queueMail = (trx: Trx, deps: MessageDeps, mail: NewMail): Promise<void> => queueLetter(trx, deps, { mail })

export const queueSms = (trx: Trx, deps: MessageDeps, sms: NewSms): Promise<void> => queueLetter(trx, deps, { sms })

/** A longer host name would leave no room for the message. */
const longestHost = 30

/**
 * Words a text in the provider's name: the first wording that fits into one text. Public advice warns against links in
 * texts, so a wording names the host to log in at and contains no link.
 */
export function textOf(
  { brandShortName, publicUrl }: { brandShortName: string; publicUrl: string },
  wordings: (host: string) => [string, ...string[]],
): string {
  const { host } = new URL(publicUrl)
  const [full, ...shorter] = wordings(host.length > longestHost ? 'our website' : host).map((wording) =>
    toGsm(`${brandShortName}: ${wording}`),
  ) as [string, ...string[]]
  return [full, ...shorter].find(isOneText) ?? shorter.at(-1) ?? full
}

export type NewSms = {
  eventKey: string
  /** MSISDN with its country code, `+64…`. */
  to: string
  userId: string
  /** The content of one text. Unsupported accents are removed, and text beyond the limit is cut off. */
  text: string
  onlyWhile?: Premise
}

type Composed = {
  channel: 'email' | 'sms'
  eventKey: string
  to: string
  userId: string | null
  subject: string
  attachment: string | null
  body: MailBody | SmsBody
  onlyWhile: Premise | null
}

const ofMail = (deps: MessageDeps, mail: NewMail): Composed => ({
  channel: 'email',
  eventKey: mail.eventKey,
  to: typeof mail.to === 'string' ? mail.to : mail.to.email,
  userId: accountOf(mail) ?? mail.userId ?? null,
  subject: onOneLine(mail.subject),
  attachment: mail.attachment ?? null,
  body: composeMail(deps, mail),
  onlyWhile: mail.onlyWhile ?? null,
})

const ofSms = ({ eventKey, to, userId, text, onlyWhile }: NewSms): Composed => ({
  channel: 'sms',
  eventKey,
  to,
  userId,
  subject: '',
  attachment: null,
  body: { text: cutToOneText(toGsm(onOneLine(text).trim())) },
  onlyWhile: onlyWhile ?? null,
})

function sealed(deps: MessageDeps, { to, body, eventKey, ...message }: Composed): NewMessage {
  const id = randomUUID()
  const [kind = '', ref = ''] = eventKey.split(':')
  return {
    ...message,
    id,
    kind,
    ref,
    eventKey: deps.again === undefined ? eventKey : `${eventKey}:again:${deps.again}`,
    messageId: `<${id}@${new URL(deps.publicUrl).hostname}>`,
    recipient: to,
    sealedBody: deps.secrets.seal(JSON.stringify(body)),
  }
}

const onOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')
