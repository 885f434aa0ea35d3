import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { MailFailure } from '#simulators/mail/failures.ts'
import { startMailSimulator } from '#simulators/mail/simulator.ts'
import { makeDataDir } from '#simulators/network/test-network.ts'
import type { Mail } from './mail.port.ts'
import { createSmtpSender } from './smtp.ts'

async function startRelay({ failure, login }: { failure?: MailFailure; login?: string } = {}) {
  const relay = await startMailSimulator({
    port: 0,
    dataDir: await makeDataDir(),
    ...(login && { login: { user: login, password: 'secret' } }),
  })
  onTestFinished(() => relay.close())
  if (failure) relay.fail(failure)
  const received = async () =>
    Promise.all(
      relay.ledger().map(async ({ id, from, to }) => {
        const source = await (await fetch(`${relay.controlUrl}/_simulator/messages/${id}`)).text()
        return { from, to, data: source.replaceAll('\r\n', '\n') }
      }),
    )
  return { url: relay.url, received, away: () => relay.setAway(true) }
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

test("sends an email's text and HTML to one recipient, with the same Message-ID on every retry", async () => {
  const relay = await startRelay()
  const { send } = senderTo(relay.url)
  expect(await send(mail)).toBe('sent')
  expect(await send({ ...mail, messageId: 'order-1.activated@fantail.example' })).toBe('sent')
  const received = await relay.received()
  for (const { from, to, data } of received) {
    expect(from).toBe('hello@fantail.example')
    expect(to).toEqual(['mere@example.nz'])
    expect(data).toMatch(/^Message-ID: <order-1\.activated@fantail\.example>$/m)
    expect(data).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(data).toMatch(/^To: mere@example\.nz$/m)
    expect(data).toContain('Content-Type: text/plain')
    expect(data).toContain('<p>Your number is 021 000 001.</p>')
  }
  expect(received).toHaveLength(2)
})

/** Starts a relay that accepts everything and records the lines it receives, because a real relay's parser might reject some addresses. */
async function startWire() {
  const lines: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 relay\r\n')
    const answers: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' }
    let inData = false
    createInterface(socket).on('line', (line) => {
      lines.push(line)
      if (inData && line !== '.') return
      inData = line === 'DATA'
      socket.write(`${answers[line] ?? '250 ok'}\r\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, lines }
}

test.each([
  ["o'brien+a&b@example.nz", "o'brien+a&b@example.nz"],
  ['!#$%^*=`{|}~?/-_.x@xn--kwhai-g9a.nz', '!#$%^*=`{|}~?/-_.x@xn--kwhai-g9a.nz'],
  // SMTP allows leading, trailing and repeated dots only inside quotation marks. Both spellings are the same address.
  ['.a..b.@localhost', '".a..b."@localhost'],
])('an email to %s is sent to the right recipient', async (to, recipient) => {
  const { url, lines } = await startWire()
  expect(await senderTo(url).send({ ...mail, to })).toBe('sent')
  expect(lines.filter((line) => line.startsWith('RCPT'))).toEqual([`RCPT TO:<${recipient}>`])
})

test('attachments are sent with their content and names unchanged', async () => {
  const { url, received } = await startRelay()
  const content = Uint8Array.from({ length: 600 }, (_, at) => at % 256)
  expect(
    await senderTo(url).send({
      ...mail,
      attachments: [{ filename: 'tax-invoice-FT1.pdf', contentType: 'application/pdf', content }],
    }),
  ).toBe('sent')
  const data = (await received())[0]?.data ?? ''
  expect(data).toMatch(/^Content-Type: application\/pdf; name=tax-invoice-FT1\.pdf$/m)
  expect(data).toMatch(/^Content-Disposition: attachment; filename=tax-invoice-FT1\.pdf$/m)
  expect(data.replaceAll('\n', '')).toContain(Buffer.from(content).toString('base64'))
})

test.each([
  ['the recipient does not exist', { operation: 'rcpt', kind: 'refuse' }],
  ['the relay refuses the message', { operation: 'data', kind: 'refuse' }],
] as const)('an email is permanently rejected if %s', async (_, failure) => {
  const { url } = await startRelay({ failure })
  expect(await senderTo(url).send(mail)).toEqual({ outcome: 'refused', answer: expect.stringMatching(/^5\d\d /) })
})

test.each([
  ['the relay is busy', { failure: { operation: 'connect', kind: 'busy' } }],
  ['the relay refuses the connection', { failure: { operation: 'connect', kind: 'refuse' } }],
  ['the relay refuses our sender address', { failure: { operation: 'mail', kind: 'refuse' } }],
  ['the mailbox is busy', { failure: { operation: 'rcpt', kind: 'busy' } }],
  ['the relay is full', { failure: { operation: 'data', kind: 'busy' } }],
  ['the reply to the message is lost', { failure: { operation: 'data', kind: 'lost_answer' } }],
  ['the relay refuses our login', { login: 'somebody' }],
] as const)('an email can be sent again if %s', async (_, relay) => {
  const url = (await startRelay(relay)).url.replace('somebody', 'nobody')
  await expect(senderTo(url).send(mail)).rejects.toThrow()
})

test('an email can be sent again if the relay is unreachable or does not offer the TLS that we require', async () => {
  const relay = await startRelay()
  await expect(senderTo(relay.url, true).send(mail)).rejects.toThrow(/TLS/)
  await relay.away()
  await expect(senderTo(relay.url).send(mail)).rejects.toThrow('ECONNREFUSED')
  expect(await relay.received()).toEqual([])
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
])('an email with %s is rejected before it is sent', async (_, change) => {
  const relay = await startRelay()
  expect(await senderTo(relay.url).send({ ...mail, ...change })).toMatchObject({ outcome: 'refused' })
  expect(await relay.received()).toEqual([])
})

async function startRogue(act: (socket: Socket) => void, { tls = false } = {}): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 relay\r\n')
    const lines = createInterface(socket).on('line', (line) => {
      if (tls && line.startsWith('EHLO')) return void socket.write('250-relay\r\n250 STARTTLS\r\n')
      lines.close()
      if (!tls) return act(socket)
      socket.write('220 go on\r\n')
      const files = { cert: readFileSync('quality/tls/localhost.crt'), key: readFileSync('quality/tls/localhost.key') }
      const secured: TLSSocket = new TLSSocket(socket, { isServer: true, ...files }).on('error', () => {})
      secured.once('data', () => act(secured))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function drip(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write('2')
    await pause(5)
  }
}
const flood =
  (chunk: string) =>
  (socket: Socket): void => {
    const more = (): void => {
      if (!socket.destroyed) socket.write(chunk, () => setImmediate(more))
    }
    more()
  }

const sendToRogue = (url: string, totalTimeoutMs = 600_000) =>
  createSmtpSender({ url, totalTimeoutMs, timeoutMs: 600_000, isOnThisMachine: true }).send(mail)

test('an email can be sent again if the relay responds byte by byte and exceeds the total timeout', async () => {
  await expect(sendToRogue(await startRogue((socket) => void drip(socket)), 300)).rejects.toThrow(
    'The relay took longer than 0.3 seconds',
  )
})

test.each([
  ['a line', 'x'.repeat(10_000), false],
  ['a reply', '250-more\r\n'.repeat(1_000), false],
  ['blank lines', '\n'.repeat(10_000), false],
  ['blank lines under TLS', '\n'.repeat(10_000), true],
] as const)('an email can be sent again if the relay never ends %s', async (_what, chunk, tls) => {
  await expect(sendToRogue(await startRogue(flood(chunk), { tls }))).rejects.toThrow()
})
