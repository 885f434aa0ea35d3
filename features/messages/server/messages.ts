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

/** What a message is composed and queued with. */
export type MessageDeps = {
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  market: Pick<Market, 'code'>
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /** Names the wish of a person at the provider to have a message composed and sent anew. */
  again?: string
}

/** What the outbox seals. */
export type MailBody = { text: string; html: string }
export type SmsBody = { text: string }

export type NewMail = MailContent & {
  /**
   * Names the business event: the same event never makes a second mail. It begins with what kind of message it is, and what it is
   * about: `refund:<id>`.
   */
  eventKey: string
  /** An account, at its own address; or an address that is no account's yet. */
  to: string | { id: string; email: string }
  /** The account that it is about, where it goes to an address that is none's yet. */
  userId?: string
  subject: string
  /** A document that goes with it, made when it is sent: `invoice:<order_code>`, of credit notes too. */
  attachment?: string
  onlyWhile?: Premise
}

const greetings = { NZ: 'Kia ora', AU: 'Hello' }

/**
 * How a mail begins. A visitor who signs up chooses the name, for an address that may be another's: one that reads as a link
 * is left out.
 */
export function greet({ market }: Pick<MessageDeps, 'market'>, firstName = ''): string {
  const hello = greetings[market.code]
  return firstName === '' || /[/@]|\.\p{L}{2}/u.test(firstName) ? hello : `${hello} ${firstName}`
}

/** In a sentence that asks somebody to: where to. */
export const callUs = ({ help: { phone, hours } }: Pick<MessageDeps, 'help'>): string =>
  `call us on ${phone} (${hours})`

/** A mail or a text that is to be written. */
export type Letter = { mail: NewMail } | { sms: NewSms }

/**
 * Puts many mails and texts into the outbox, in the transaction of the change that they report, in three statements. Nobody waits for
 * them: they are found by their rows, so that of a night's thousands no process has more than it can send.
 */
export async function queueLetters(trx: Trx, deps: MessageDeps, letters: readonly Letter[]): Promise<void> {
  const fresh = await insertLetters(trx, deps, letters, toDate(realNow()))
  if (fresh.size > 0) deps.jobs.fetchMore(trx, messageRetries.queue)
}

/** The same of one, which is sent before those. */
export async function queueLetter(trx: Trx, deps: MessageDeps, letter: Letter): Promise<void> {
  const lostAt = jobIsLostAt()
  for (const messageId of await insertLetters(trx, deps, [letter], lostAt))
    await deps.jobs.send(trx, messageRetries, messageId, lostAt.getTime())
}

/** To an account whose address belongs to another person, who said so, no mail is written. Answers the ids of what is. */
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

/** Puts a text message into the outbox, in the transaction of the change that it reports. */
export const queueSms = (trx: Trx, deps: MessageDeps, sms: NewSms): Promise<void> => queueLetter(trx, deps, { sms })

/** A host that is longer would leave no room to say anything. */
const longestHost = 30

/**
 * What a text says in the provider's name: the first wording that goes as one. People are told not to follow links in texts:
 * so it names the host where the customer logs in, and leads nowhere.
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
  /** Names the business event, as a mail's does: the same event never makes a second message. */
  eventKey: string
  /** MSISDN with its country code, `+64…`. */
  to: string
  /** The account that it is about. */
  userId: string
  /** One text's worth: a line, in letters that every phone has. Others lose their marks, and what is too long its end. */
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
