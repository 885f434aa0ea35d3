import { createTransport } from 'nodemailer'
import type { Mail, MailSender, Refused } from './mail.port.ts'

type SmtpOptions = {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  url: string
  /** Of connecting, and of each wait for an answer. 15 seconds unless said otherwise. */
  timeoutMs?: number
  /** Turn down a relay that offers no TLS. True unless said otherwise; false suits a relay on this machine. */
  requireTls?: boolean
}

/** Sends mail through an SMTP relay. */
export function createSmtpSender({ url, timeoutMs = 15_000, requireTls = true }: SmtpOptions): MailSender {
  const transport = createTransport({
    url,
    requireTLS: requireTls,
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
        })
        return 'sent'
      } catch (failure) {
        if (isRefusal(failure)) return { outcome: 'refused', answer: answerIn(failure) }
        throw failure
      }
    },
  }
}

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
