import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Mail } from '#providers/mail/mail.port.ts'
import { skip, type Step } from '../step.ts'
import { type MailSuiteContext, timeoutMs } from './mail-suite-context.ts'

type MailStep = Step<MailSuiteContext>

/**
 * Connects to the relay without sending an email, and logs in if the URL contains credentials. Returns `null` on
 * success, otherwise the problem.
 */
async function checkConnection(url: URL, tls: 'required' | 'as it comes'): Promise<string | null> {
  const transport = createTransport({
    url: url.href,
    requireTLS: tls === 'required',
    ...(tls === 'as it comes' && { ignoreTLS: url.protocol === 'smtp:' }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await transport.verify()
    return null
  } catch (error) {
    return errorReason(error)
  } finally {
    transport.close()
  }
}

const withoutLogin = (url: string): URL => Object.assign(new URL(url), { username: '', password: '' })

const connectStep: MailStep = {
  name: 'connect',
  tries: 'a connection to the relay, and its greeting',
  matters: 'No email is sent.',
  async run({ file }, notes) {
    const url = withoutLogin(file.settings['SMTP_URL'] ?? '')
    const why = await checkConnection(url, 'as it comes')
    notes.came(why ?? `${url.host} greets`)
    if (why) notes.differs(`the relay cannot be reached: ${why}`)
  },
}

const tlsStep: MailStep = {
  name: 'tls',
  tries: 'TLS with a certificate that this machine trusts (a CA of your own: NODE_EXTRA_CA_CERTS)',
  matters: 'No email is sent, unless the relay is on this machine. The product requires TLS for any other relay.',
  async run({ file }, notes) {
    const why = await checkConnection(withoutLogin(file.settings['SMTP_URL'] ?? ''), 'required')
    notes.came(why ?? 'the connection is encrypted')
    if (why) notes.differs(why)
  },
}

const loginStep: MailStep = {
  name: 'login',
  tries: 'logging in with the user and password in SMTP_URL',
  matters: 'No email is sent.',
  async run({ file }, notes) {
    const url = new URL(file.settings['SMTP_URL'] ?? '')
    if (url.username === '') skip('SMTP_URL has no login')
    const why = await checkConnection(url, 'required')
    notes.came(why ?? `logged in as ${decodeURIComponent(url.username)}`)
    if (why) notes.differs(why)
  },
}

const acceptedStep: MailStep = {
  name: 'accepted',
  tries: 'an email to the address that accepts email',
  matters: 'No email is sent.',
  async run(world, notes) {
    const mail = testMail(world, 'A mail of a conformance run')
    const outcome = await sendAndDescribe(world, mail)
    notes.came(outcome)
    if (outcome !== 'sent') return notes.differs(`the result is ${outcome}, not sent`)
    notes.byHand(`an email "${mail.subject}" from ${mail.from} is in the mailbox of ${world.file.to}`)
  },
}

const refusedStep: MailStep = {
  name: 'refused',
  tries: 'an email to an address that does not exist',
  matters:
    'Emails to addresses that do not exist count as sent, or are retried for days, and nobody notices that a customer gets none.',
  async run(world, notes) {
    const outcome = await sendAndDescribe(world, { ...testMail(world, 'To nobody'), to: world.file.refused })
    notes.came(outcome)
    if (outcome === 'sent') notes.differs('the relay accepted the address; expected a 5xx to RCPT TO')
    else if (outcome !== 'refused') notes.differs(`the answer is not definite: ${outcome}; expected a 5xx to RCPT TO`)
  },
}

const repeatStep: MailStep = {
  name: 'repeat',
  tries: 'the same email twice with one Message-ID, as after a lost answer',
  matters: 'An email is not sent again after a lost answer.',
  async run(world, notes) {
    const mail = testMail(world, 'A mail that comes twice')
    for (const time of ['the first', 'the second']) {
      const outcome = await sendAndDescribe(world, mail)
      notes.came(`${time} is ${outcome}`)
      if (outcome !== 'sent') notes.differs(`the result of ${time} is ${outcome}, not sent`)
    }
  },
}

const attachmentStep: MailStep = {
  name: 'attachment',
  tries: 'an email with an attachment of attachment_kb kilobytes',
  matters: 'Customers do not get their invoices.',
  async run(world, notes) {
    const content = randomBytes(world.file.attachment_kb * 1_000)
    const mail = testMail(world, 'A mail with a file')
    const attachments = [{ filename: 'conformance.pdf', contentType: 'application/pdf', content }]
    const outcome = await sendAndDescribe(world, { ...mail, attachments })
    notes.came(outcome)
    if (outcome !== 'sent') return notes.differs(`the result is ${outcome}, not sent`)
    if (!world.listener) return
    const source = await world.listener.find(mail.subject, notes.signal)
    if (!source) return notes.differs('the email did not arrive')
    const isWhole = source.replaceAll(/\s/g, '').includes(content.toString('base64'))
    notes.came(`${source.length} bytes arrived`)
    if (!isWhole) notes.differs('the attachment is incomplete')
  },
}

const messageIdStep: MailStep = {
  name: 'message-id',
  tries: 'whether an email arrives with our Message-ID, our sender and the Auto-Submitted header',
  matters: 'An email that had to be sent twice appears twice, and auto-responders reply to it.',
  async run(world, notes) {
    const mail = testMail(world, 'A mail to look at')
    if (!world.listener) {
      notes.byHand(`the emails that came to ${world.file.to} have a Message-ID that starts with <CONF-`)
      return skip('the file has no "listen" for receiving email')
    }
    const outcome = await sendAndDescribe(world, mail)
    if (outcome !== 'sent') return notes.differs(`the result is ${outcome}, not sent`)
    const source = await world.listener.find(mail.subject, notes.signal)
    if (!source)
      return notes.differs(`no email arrived at ${world.listener.url}: check that the relay delivers ${mail.to} there`)
    const head = source.slice(0, source.indexOf('\r\n\r\n')).split('\r\n')
    const lines = head.filter((line) => /^(?:Message-ID|From|Auto-Submitted):/i.test(line))
    lines.forEach(notes.came)
    if (!source.includes(mail.messageId)) notes.differs(`the Message-ID is not ${mail.messageId}`)
    if (!lines.some((line) => /^From:/i.test(line) && line.includes(addressOf(mail.from))))
      notes.differs(`From is not ${mail.from}`)
    if (!/^Auto-Submitted: *auto-generated/im.test(head.join('\n'))) notes.differs('Auto-Submitted is missing')
  },
}

function testMail({ file, nextReference }: MailSuiteContext, about: string): Mail {
  const reference = nextReference()
  const from = file.settings['MAIL_FROM'] ?? ''
  const text = `${about} (${reference}). You can ignore this email.`
  return {
    messageId: `<${reference}@${addressOf(from).split('@')[1]}>`,
    from,
    to: file.to,
    subject: `${reference} ${about}`,
    text,
    html: `<p>${text}</p>`,
  }
}

const addressOf = (from: string): string => /<([^<>]*)>$/.exec(from)?.[1] ?? from

/** Sends an email. Returns the outcome that the sender reports, or the error's text if sending throws. */
const sendAndDescribe = ({ sender }: MailSuiteContext, mail: Mail): Promise<string> =>
  sender.send(mail).then((sent) => (sent === 'sent' ? sent : sent.outcome), errorReason)

function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  const { code, command, response } = error as Error & { code?: string; command?: string; response?: string }
  return [code, command, response ?? error.message].filter(Boolean).join(': ')
}

export const mailSteps: MailStep[] = [
  connectStep,
  tlsStep,
  loginStep,
  acceptedStep,
  refusedStep,
  repeatStep,
  attachmentStep,
  messageIdStep,
]
