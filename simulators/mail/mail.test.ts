import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeDataDir } from '../network/test-network.ts'
import { type MailSimulatorOptions, startMailSimulator } from './simulator.ts'

const tls = {
  cert: readFileSync('quality/tls/localhost.crt', 'utf8'),
  key: readFileSync('quality/tls/localhost.key', 'utf8'),
  implicit: false,
}
const login = { user: 'fantail', password: 'a p@ss/word' }
const mail = {
  messageId: '<one@fantail.example>',
  from: 'hello@fantail.example',
  to: 'mere@example.nz',
  subject: 'Kia ora',
  text: 'Your SIM is active.\n.\nA line with a dot alone.',
}

async function startRelay(options: Partial<MailSimulatorOptions> = {}) {
  const relay = await startMailSimulator({ port: 0, dataDir: await makeDataDir(), ...options })
  onTestFinished(() => relay.close())
  return relay
}

const send = (url: string, change: object = {}) =>
  createTransport({ url, tls: { ca: tls.cert } }).sendMail({ ...mail, ...change })

const answerTo = async (url: string, change: object = {}): Promise<number | undefined> =>
  send(url, change).then(
    () => undefined,
    (error: { responseCode?: number }) => error.responseCode,
  )

async function control(url: string, method: string, path: string, body?: unknown) {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/_simulator/${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, text, body: text.startsWith('[') || text.startsWith('{') ? JSON.parse(text) : null }
}

test('the mail relay’s ledger contains accepted mail unchanged, even after a restart', async () => {
  const dataDir = await makeDataDir()
  const first = await startRelay({ dataDir })
  await send(first.url)
  await send(first.url)
  const ledger = first.ledger()
  expect(ledger).toEqual([
    expect.objectContaining({
      from: 'hello@fantail.example',
      to: ['mere@example.nz'],
      message_id: '<one@fantail.example>',
      subject: 'Kia ora',
      tls: false,
      user: null,
    }),
    expect.objectContaining({ message_id: '<one@fantail.example>' }),
  ])
  await first.close()

  const second = await startRelay({ dataDir })
  expect(second.ledger()).toEqual(ledger)
  expect((await control(second.controlUrl, 'GET', 'ledger')).body).toEqual(ledger)
  const { text } = await control(second.controlUrl, 'GET', `messages/${ledger[0]?.id}`)
  expect(text).toContain('Your SIM is active.\r\n.\r\nA line with a dot alone.')
  expect(text.length).toBe(ledger[0]?.size)
  expect((await control(second.controlUrl, 'GET', 'messages/nobody')).status).toBe(404)
})

test('the mail relay’s texts contain each email’s recipient, subject, plain text and whole links', async () => {
  const relay = await startRelay()
  const link = `https://my.example.nz/verify/?token=${'Aa1-_'.repeat(20)}`
  const attachments = [{ filename: 'invoice.pdf', content: Buffer.alloc(3_000, 7) }]
  await send(relay.url, { subject: 'Kererū Mobile: please confirm your email', text: `Kia ora Zoë\n\n${link}` })
  await send(relay.url, { text: `Māori ${link}`, html: `<p>Hello ${link}</p>`, attachments })
  await send(relay.url, { subject: 'ありがとう', text: 'ありがとう' })
  expect((await control(relay.controlUrl, 'GET', 'texts')).text).toBe(
    `To: mere@example.nz\nSubject: Kererū Mobile: please confirm your email\n\nKia ora Zoë\n\n${link}\n\n` +
      `To: mere@example.nz\nSubject: Kia ora\n\nMāori ${link}\n\n` +
      'To: mere@example.nz\nSubject: ありがとう\n\nありがとう\n',
  )
})

test.each([
  ['through STARTTLS', false],
  ['from the first byte', true],
])('the mail relay accepts mail over TLS %s, but only from authenticated senders', async (_how, implicit) => {
  const relay = await startRelay({ tls: { ...tls, implicit }, login })
  await send(relay.url)
  expect(relay.ledger()).toEqual([expect.objectContaining({ tls: true, user: 'fantail' })])
  expect(await answerTo(relay.url.replace('a%20p', 'wrong'))).toBe(535)
  expect(await answerTo(relay.url.replace(/\/\/.*@/, '//'))).toBe(530)
  expect(relay.ledger()).toHaveLength(1)
})

test.each([
  ['connect', 'busy', 421],
  ['connect', 'refuse', 554],
  ['mail', 'busy', 451],
  ['mail', 'refuse', 550],
  ['rcpt', 'busy', 450],
  ['rcpt', 'refuse', 550],
  ['data', 'busy', 452],
  ['data', 'refuse', 554],
] as const)(
  'a simulated mail relay failure at %s, of the kind %s, is answered with %i only once',
  async (operation, kind, code) => {
    const relay = await startRelay()
    expect((await control(relay.controlUrl, 'POST', 'failures', { operation, kind })).status).toBe(204)
    expect((await control(relay.controlUrl, 'GET', 'failures')).body).toHaveLength(1)
    expect(await answerTo(relay.url)).toBe(code)
    expect(relay.ledger()).toEqual([])
    expect(await answerTo(relay.url)).toBeUndefined()
    expect(relay.ledger()).toHaveLength(1)
  },
)

test('an email is accepted even if the response to its sender is lost', async () => {
  const relay = await startRelay()
  relay.fail({ operation: 'data', kind: 'lost_answer' })
  await expect(send(relay.url)).rejects.toThrow()
  expect(relay.ledger()).toHaveLength(1)
})

test('the mail relay does not accept an incomplete message, and keeps working when a transmission breaks off', async () => {
  const { url, ledger } = await startRelay()
  const sender = connect(Number(new URL(url).port), '127.0.0.1')
  const answers = createInterface(sender)[Symbol.asyncIterator]()
  for (const line of ['EHLO dying', 'MAIL FROM:<hello@fantail.example>', 'RCPT TO:<mere@example.nz>', 'DATA']) {
    let said = ''
    while (!/^\d{3} /.test(said)) said = (await answers.next()).value ?? '000 '
    sender.write(`${line}\r\n`)
  }
  expect((await answers.next()).value).toMatch(/^354 /)
  sender.write('Subject: Kia')
  sender.destroy()
  await once(sender, 'close')
  await send(url)
  expect(ledger()).toHaveLength(1)
})

test('the mail relay stays slow until the simulated failure is cancelled', async () => {
  const relay = await startRelay()
  relay.fail({ operation: 'rcpt', kind: 'slow', delay_ms: 60_000 })
  expect((await control(relay.controlUrl, 'DELETE', 'failures')).status).toBe(204)
  await send(relay.url)
  relay.fail({ operation: 'rcpt', kind: 'slow', delay_ms: 200 })
  const startedAt = performance.now()
  await send(relay.url)
  expect(performance.now() - startedAt).toBeGreaterThan(190)
})

test('the mail relay rejects mail to certain recipients and messages that are too large', async () => {
  const relay = await startRelay({ maxBytes: 2_000 })
  const recipients = [
    { to: 'Nobody@example.nz', behaviour: 'refused' },
    { to: 'full@example.nz', behaviour: 'busy' },
  ]
  expect((await control(relay.controlUrl, 'POST', 'recipients', recipients)).status).toBe(204)
  expect(await answerTo(relay.url, { to: 'nobody@example.nz' })).toBe(550)
  expect(await answerTo(relay.url, { to: 'full@example.nz' })).toBe(450)
  expect(await answerTo(relay.url, { text: 'a'.repeat(3_000) })).toBe(552)
  expect(relay.ledger()).toEqual([])
})

test('a test can make the mail relay refuse connections and then accept them again on the same port', async () => {
  const relay = await startRelay()
  expect((await control(relay.controlUrl, 'PUT', 'away', { away: true })).status).toBe(204)
  await expect(send(relay.url)).rejects.toThrow('ECONNREFUSED')
  expect((await control(relay.controlUrl, 'PUT', 'away', { away: false })).status).toBe(204)
  await send(relay.url)
})

test('accepted mail is forwarded to another relay', async () => {
  const end = await startRelay()
  const relay = await startRelay({ forwardTo: end.url })
  await send(relay.url)
  await vi.waitFor(
    () => expect(end.ledger()).toEqual([expect.objectContaining({ message_id: mail.messageId })]),
    30_000,
  )
})

test.each([
  ['failures', { operation: 'rcpt', kind: 'lost_answer' }],
  ['failures', { operation: 'quit', kind: 'busy' }],
  ['recipients', [{ to: 'a@b.nz', behaviour: 'strange' }]],
])('an invalid value for the mail relay’s %s setting is rejected with HTTP 400', async (path, body) => {
  const { controlUrl } = await startRelay()
  expect((await control(controlUrl, 'POST', path, body)).status).toBe(400)
})

test('when run as a program, the mail relay reads its environment variables and reports any errors in them', async () => {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    CONTROL_PORT: '0',
    DATA_DIR: await makeDataDir(),
    REFUSED: 'no@b.nz',
  }
  const child = spawn(process.execPath, ['simulators/mail/main.ts'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) if (said.push(line) === 2) break
  const url = /smtp:\/\/\S+/.exec(said[0] ?? '')?.[0] ?? ''
  expect(await answerTo(url, { to: 'no@b.nz' })).toBe(550)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])

  const wrong = spawn(process.execPath, ['simulators/mail/main.ts'], { env: { ...env, TLS_CERT: 'a.crt' } })
  expect((await wrong.stderr.toArray()).join('')).toContain('Set both TLS_CERT and TLS_KEY')
})
