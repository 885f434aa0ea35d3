import { expect, onTestFinished, test } from 'vitest'
import { startRelay as startSmtpRelay } from '#testing/smtp-relay.ts'
import type { Mail } from './mail.port.ts'
import { createSmtpSender } from './smtp.ts'

/** A relay for one test. */
async function startRelay(answers: Parameters<typeof startSmtpRelay>[0] = {}) {
  const relay = await startSmtpRelay(answers)
  onTestFinished(relay.stop)
  return relay
}

const mail: Mail = {
  messageId: '<order-1.activated@fantail.example>',
  from: 'Fantail Mobile <hello@fantail.example>',
  to: 'mere@example.nz',
  subject: 'Tēnā koe, your SIM is active',
  text: 'Your number is 021 000 001.',
  html: '<p>Your number is 021 000 001.</p>',
}

const senderTo = (url: string, requireTls = false) => createSmtpSender({ url, timeoutMs: 30_000, requireTls })

test('sends text and HTML to one recipient, with our Message-ID on every copy', async () => {
  const relay = await startRelay()
  const { send } = senderTo(relay.url)
  expect(await send(mail)).toBe('sent')
  expect(await send({ ...mail, messageId: 'order-1.activated@fantail.example' })).toBe('sent')
  for (const { from, to, data } of relay.received) {
    expect(from).toContain('<hello@fantail.example>')
    expect(to).toEqual(['RCPT TO:<mere@example.nz>'])
    expect(data).toMatch(/^Message-ID: <order-1\.activated@fantail\.example>$/m)
    expect(data).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(data).toMatch(/^To: mere@example\.nz$/m)
    expect(data).toContain('Content-Type: text/plain')
    expect(data).toContain('<p>Your number is 021 000 001.</p>')
  }
  expect(relay.received).toHaveLength(2)
})

test.each([
  ["o'brien+a&b@example.nz", "o'brien+a&b@example.nz"],
  ['!#$%^*=`{|}~?/-_.x@xn--kwhai-g9a.nz', '!#$%^*=`{|}~?/-_.x@xn--kwhai-g9a.nz'],
  // A relay's grammar has such dots in quotation marks only; it is the same address.
  ['.a..b.@localhost', '".a..b."@localhost'],
])('goes to %s', async (to, recipient) => {
  const relay = await startRelay()
  expect(await senderTo(relay.url).send({ ...mail, to })).toBe('sent')
  expect(relay.received.map((each) => each.to)).toEqual([[`RCPT TO:<${recipient}>`]])
})

test('files go with it, their bytes and their names unharmed', async () => {
  const { url, received } = await startRelay()
  const content = Uint8Array.from({ length: 600 }, (_, at) => at % 256)
  expect(
    await senderTo(url).send({
      ...mail,
      attachments: [{ filename: 'tax-invoice-FT1.pdf', contentType: 'application/pdf', content }],
    }),
  ).toBe('sent')
  const data = received[0]?.data ?? ''
  expect(data).toMatch(/^Content-Type: application\/pdf; name=tax-invoice-FT1\.pdf$/m)
  expect(data).toMatch(/^Content-Disposition: attachment; filename=tax-invoice-FT1\.pdf$/m)
  expect(data.replaceAll('\n', '')).toContain(Buffer.from(content).toString('base64'))
})

test.each([
  ['the recipient does not exist', { rcpt: '550 no such user' }],
  ['the message is not wanted', { end: '554 looks like spam' }],
])('a mail is refused for good when %s', async (_, answers) => {
  const { url } = await startRelay(answers)
  expect(await senderTo(url).send(mail)).toBe('refused')
})

test.each([
  ['the mailbox is busy', { rcpt: '450 later' }],
  ['the relay is full', { end: '452 later' }],
  ['our sender is turned down', { mail: '530 log in first' }],
])('a mail may be tried again when %s', async (_, answers) => {
  const { url } = await startRelay(answers)
  await expect(senderTo(url).send(mail)).rejects.toThrow()
})

test('a mail may be tried again when there is no relay, and when the relay offers no TLS where it must', async () => {
  const relay = await startRelay()
  await expect(senderTo(relay.url, true).send(mail)).rejects.toThrow(/TLS/)
  await relay.stop()
  await expect(senderTo(relay.url).send(mail)).rejects.toThrow('ECONNREFUSED')
  expect(relay.received).toEqual([])
})

test.each([
  ['a header in the subject', { subject: 'Hello\r\nBcc: everybody@example.nz' }],
  ['a header in the recipient', { to: 'mere@example.nz\nBcc: everybody@example.nz' }],
  ['a second recipient', { to: 'mere@example.nz, everybody@example.nz' }],
  ['a recipient in angle brackets', { to: '<mere@example.nz>' }],
  ['a header in the sender', { from: 'Fantail\rBcc: everybody@example.nz <a@b.nz>' }],
  ['a header in the Message-ID', { messageId: '<a@b>\r\nBcc: everybody@example.nz' }],
  ['no Message-ID', { messageId: '' }],
  [
    'a header in the name of a file',
    { attachments: [{ filename: 'a\r\nBcc: b@c.nz', contentType: 'application/pdf', content: new Uint8Array() }] },
  ],
])('nothing leaves with %s', async (_, change) => {
  const relay = await startRelay()
  expect(await senderTo(relay.url).send({ ...mail, ...change })).toBe('refused')
  expect(relay.received).toEqual([])
})
