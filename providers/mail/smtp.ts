import { createTransport } from 'nodemailer'
import type { Mail, MailSender, RejectedMessage } from './mail.port.ts'
import { openRelaySocket } from './relay-socket.ts'

type SmtpOptions = {
  url: string
  timeoutMs?: number
  totalTimeoutMs?: number
  /** Whether to reject a relay that does not offer TLS. The default is true. */
  requireTls?: boolean
  /**
   * Set for a relay on this machine, which needs no TLS, because nobody else can read the connection. If the relay offers STARTTLS, its
   * certificate is not verified, because a local relay's certificate is usually self-signed.
   */
  isOnThisMachine?: boolean
}

const maxReplyBytes = 64 * 1024

export function createSmtpSender({
  url,
  timeoutMs = 15_000,
  totalTimeoutMs = 30_000,
  requireTls = true,
  isOnThisMachine = false,
}: SmtpOptions): MailSender {
  const allowsPlaintext = isOnThisMachine && new URL(url).protocol === 'smtp:'
  const transport = createTransport({
    url,
    requireTLS: requireTls && !allowsPlaintext,
    ...(allowsPlaintext && { tls: { rejectUnauthorized: false } }),
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
      if (!isSendable(mail)) return unsendableResult
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
        if (isPermanentRejection(failure)) return { outcome: 'refused', answer: getReply(failure) }
        if (signal.aborted) throw createTimeoutError(totalTimeoutMs)
        throw failure
      }
    },
  }
}

const createTimeoutError = (ms: number): Error =>
  Object.assign(new Error(`The relay took longer than ${ms / 1_000} seconds`), { code: 'ETIMEDOUT' })

const unsendableResult: RejectedMessage = {
  outcome: 'refused',
  answer: 'Not sent: the recipient’s address is invalid, or a header contains control characters.',
}

const emailPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
const messageIdPattern = /^<?[^\s@<>]+@[^\s@<>]+>?$/

/** Whether an email is safe to send: it has exactly one recipient, and no control characters, which could inject a header. */
function isSendable({ messageId, from, to, subject, attachments = [] }: Mail): boolean {
  const names = attachments.flatMap(({ filename, contentType }) => [filename, contentType])
  return (
    emailPattern.test(to) &&
    messageIdPattern.test(messageId) &&
    ![messageId, from, to, subject, ...names].some(hasControlCharacter)
  )
}

function hasControlCharacter(header: string): boolean {
  return /\p{Cc}/u.test(header)
}

const getReply = (failure: Error & { response?: string }): string => failure.response ?? failure.message

/** Whether the relay permanently rejected the recipient or the message itself. A rejected sender or login is for the operator to fix. */
function isPermanentRejection(failure: unknown): failure is Error {
  if (!(failure instanceof Error)) return false
  const { responseCode, command } = failure as Error & { responseCode?: number; command?: string }
  return responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}
