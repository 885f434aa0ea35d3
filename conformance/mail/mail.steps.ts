import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Mail } from '#providers/mail/mail.port.ts'
import { skip, type Step } from '../step.ts'
import { type MailWorld, timeoutMs } from './mail-world.ts'

type MailStep = Step<MailWorld>

/** Connects, and logs in if the URL has a login, without sending an email. */
async function knock(url: URL, tls: 'required' | 'as it comes'): Promise<string | null> {
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
    return reasonOf(error)
  } finally {
    transport.close()
  }
}

const withoutLogin = (url: string): URL => Object.assign(new URL(url), { username: '', password: '' })

const connect: MailStep = {
  name: 'connect',
  tries: 'a connection to the relay, and its greeting',
  matters: 'No mail goes out.',
  async run({ file }, notes) {
    const url = withoutLogin(file.settings['SMTP_URL'] ?? '')
    const why = await knock(url, 'as it comes')
    notes.came(why ?? `${url.host} greets`)
    if (why) notes.differs(`there is no relay: ${why}`)
  },
}

const tls: MailStep = {
  name: 'tls',
  tries: 'TLS with a certificate that this machine trusts (a CA of your own: NODE_EXTRA_CA_CERTS)',
  matters:
    'No mail goes out, unless the relay is on this machine: the product hands none to another relay without TLS.',
  async run({ file }, notes) {
    const why = await knock(withoutLogin(file.settings['SMTP_URL'] ?? ''), 'required')
    notes.came(why ?? 'the connection is encrypted')
    if (why) notes.differs(why)
  },
}

const login: MailStep = {
  name: 'login',
  tries: 'the login that SMTP_URL has',
  matters: 'No mail goes out.',
  async run({ file }, notes) {
    const url = new URL(file.settings['SMTP_URL'] ?? '')
    if (url.username === '') skip('SMTP_URL has no login')
    const why = await knock(url, 'required')
    notes.came(why ?? `logged in as ${decodeURIComponent(url.username)}`)
    if (why) notes.differs(why)
  },
}

const accepted: MailStep = {
  name: 'accepted',
  tries: 'a mail to the address that takes mail',
  matters: 'No mail goes out.',
  async run(world, notes) {
    const mail = mailOf(world, 'A mail of a conformance run')
    const outcome = await sendOf(world, mail)
    notes.came(outcome)
    if (outcome !== 'sent') return notes.differs(`it is ${outcome}, not sent`)
    notes.byHand(`a mail "${mail.subject}" is in the mailbox of ${world.file.to}, from ${mail.from}`)
  },
}

const refused: MailStep = {
  name: 'refused',
  tries: 'a mail to an address that does not exist',
  matters:
    'Mails to addresses that do not exist count as sent, or are tried for days: nobody is told that a customer gets none.',
  async run(world, notes) {
    const outcome = await sendOf(world, { ...mailOf(world, 'To nobody'), to: world.file.refused })
    notes.came(outcome)
    if (outcome === 'sent') notes.differs('it is taken; a 5xx to RCPT TO was expected')
    else if (outcome !== 'refused') notes.differs(`it is no definite no: ${outcome}; a 5xx to RCPT TO was expected`)
  },
}

const repeat: MailStep = {
  name: 'repeat',
  tries: 'the same mail twice under one Message-ID, as after an answer that was lost',
  matters: 'A mail whose answer is lost does not go out.',
  async run(world, notes) {
    const mail = mailOf(world, 'A mail that comes twice')
    for (const time of ['the first', 'the second']) {
      const outcome = await sendOf(world, mail)
      notes.came(`${time} is ${outcome}`)
      if (outcome !== 'sent') notes.differs(`${time} is ${outcome}, not sent`)
    }
  },
}

const attachment: MailStep = {
  name: 'attachment',
  tries: 'a mail with a file of as many kB as attachment_kb says',
  matters: 'Customers do not get their invoices.',
  async run(world, notes) {
    const content = randomBytes(world.file.attachment_kb * 1_000)
    const mail = mailOf(world, 'A mail with a file')
    const attachments = [{ filename: 'conformance.pdf', contentType: 'application/pdf', content }]
    const outcome = await sendOf(world, { ...mail, attachments })
    notes.came(outcome)
    if (outcome !== 'sent') return notes.differs(`it is ${outcome}, not sent`)
    if (!world.listener) return
    const source = await world.listener.find(mail.subject, notes.signal)
    if (!source) return notes.differs('it did not arrive')
    const isWhole = source.replaceAll(/\s/g, '').includes(content.toString('base64'))
    notes.came(`${source.length} bytes arrived`)
    if (!isWhole) notes.differs('the file is not whole')
  },
}

const messageId: MailStep = {
  name: 'message-id',
  tries: 'whether a mail arrives under our Message-ID, with our sender and as one that answers nobody',
  matters: 'A mail that had to be sent twice shows as two, and robots answer it.',
  async run(world, notes) {
    const mail = mailOf(world, 'A mail to look at')
    if (!world.listener) {
      notes.byHand(`the mails that came to ${world.file.to} have a Message-ID that begins with <CONF-`)
      return skip('the file has no "listen" at which mail could arrive')
    }
    const outcome = await sendOf(world, mail)
    if (outcome !== 'sent') return notes.differs(`it is ${outcome}, not sent`)
    const source = await world.listener.find(mail.subject, notes.signal)
    if (!source) return notes.differs(`none arrived at ${world.listener.url}: does the relay deliver ${mail.to} there?`)
    const head = source.slice(0, source.indexOf('\r\n\r\n')).split('\r\n')
    const lines = head.filter((line) => /^(?:Message-ID|From|Auto-Submitted):/i.test(line))
    lines.forEach(notes.came)
    if (!source.includes(mail.messageId)) notes.differs(`the Message-ID is another than ${mail.messageId}`)
    if (!lines.some((line) => /^From:/i.test(line) && line.includes(addressOf(mail.from))))
      notes.differs(`From is another than ${mail.from}`)
    if (!/^Auto-Submitted: *auto-generated/im.test(head.join('\n'))) notes.differs('Auto-Submitted is gone')
  },
}

function mailOf({ file, nextReference }: MailWorld, about: string): Mail {
  const reference = nextReference()
  const from = file.settings['MAIL_FROM'] ?? ''
  const text = `${about} (${reference}). Nobody has to do anything about it.`
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

/** The product's outcome for this email, or why the outcome is unknown. */
const sendOf = ({ sender }: MailWorld, mail: Mail): Promise<string> =>
  sender.send(mail).then((sent) => (sent === 'sent' ? sent : sent.outcome), reasonOf)

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  const { code, command, response } = error as Error & { code?: string; command?: string; response?: string }
  return [code, command, response ?? error.message].filter(Boolean).join(': ')
}

export const mailSteps: MailStep[] = [connect, tls, login, accepted, refused, repeat, attachment, messageId]
