import { createTransport } from 'nodemailer'
import type { Mail, MailSender, Refused } from './mail.port.ts'
import { openRelaySocket } from './relay-socket.ts'

type SmtpOptions = {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  url: string
  /** Of connecting, and of each wait for an answer. 15 seconds unless said otherwise. */
  timeoutMs?: number
  /** Of one mail, from connecting to the last answer. 30 seconds unless said otherwise. */
  totalTimeoutMs?: number
  /** Turn down a relay that offers no TLS. True unless said otherwise. */
  requireTls?: boolean
  /**
   * A relay on this machine needs no TLS: nobody else can read the connection. If it offers STARTTLS its certificate isn't checked,
   * as the usual one of a local relay is signed by nobody.
   */
  isOnThisMachine?: boolean
}

/** A reply has a few lines. */
const maxReplyBytes = 64 * 1024

/** Sends mail through an SMTP relay. */
export function createSmtpSender({
  url,
  timeoutMs = 15_000,
  totalTimeoutMs = 30_000,
  requireTls = true,
  isOnThisMachine = false,
}: SmtpOptions): MailSender {
  const mayBePlain = isOnThisMachine && new URL(url).protocol === 'smtp:'
  const transport = createTransport({
    url,
    requireTLS: requireTls && !mayBePlain,
    ...(mayBePlain && { tls: { rejectUnauthorized: false } }),
    maxResponseSize: maxReplyBytes,
    getSocket: (place, done) => openRelaySocket(place, timeoutMs, done),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send(mail) {
      if (!isSendable(mail)) return unsendable
      const { messageId, from, to, subject, text, html, attachments = [] } = mail
      const signal = AbortSignal.timeout(totalTimeoutMs)
      try {
        await transport.sendMail({
          messageId,
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          attachments: attachments.map(({ content, ...file }) => ({ ...file, content: Buffer.from(content) })),
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
        return 'sent'
      } catch (failure) {
        if (isRefusal(failure)) return { outcome: 'refused', answer: answerIn(failure) }
        if (signal.aborted) throw tooSlow(totalTimeoutMs)
        throw failure
      }
    },
  }
}

const tooSlow = (ms: number): Error =>
  Object.assign(new Error(`The relay took longer than ${ms / 1_000} seconds`), { code: 'ETIMEDOUT' })

const unsendable: Refused = {
  outcome: 'refused',
  answer: 'Never left: its address is none, or a line of its head would begin another.',
}

const oneEmail = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
const oneMessageId = /^<?[^\s@<>]+@[^\s@<>]+>?$/

/** One recipient, and nothing that could begin a header of its own. */
function isSendable({ messageId, from, to, subject, attachments = [] }: Mail): boolean {
  const names = attachments.flatMap(({ filename, contentType }) => [filename, contentType])
  return oneEmail.test(to) && oneMessageId.test(messageId) && ![messageId, from, to, subject, ...names].some(hasControl)
}

function hasControl(header: string): boolean {
  return /\p{Cc}/u.test(header)
}

/** What the relay said; nodemailer's own words, where that is lost. */
const answerIn = (failure: Error & { response?: string }): string => failure.response ?? failure.message

/** A permanent no to the recipient or to the message itself; one to the sender or the login is ours to repair. */
function isRefusal(failure: unknown): failure is Error {
  if (!(failure instanceof Error)) return false
  const { responseCode, command } = failure as Error & { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
