import { readFileSync, rmSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type MailSimulatorOptions, startMailSimulator } from '#simulators/mail/simulator.ts'
import { findFreePort, runConformance } from '#quality/support/run-conformance.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'

const tls = {
  cert: readFileSync('quality/tls/localhost.crt', 'utf8'),
  key: readFileSync('quality/tls/localhost.key', 'utf8'),
  implicit: false,
}
const login = { user: 'sandbox', password: 'secret' }
const usual = getCACertificates('default')

// Trusts the test relay's certificate. A separate process would be given the certificate through NODE_EXTRA_CA_CERTS.
beforeAll(() => setDefaultCACertificates([...usual, tls.cert]))
afterAll(() => setDefaultCACertificates(usual))

async function startRelay(options: Partial<MailSimulatorOptions> = {}) {
  const dataDir = createDataFolder('conformance-mail-')
  const port = await findFreePort()
  const forwardTo = `smtp://127.0.0.1:${port}`
  const relay = await startMailSimulator({ port: 0, dataDir, tls, login, forwardTo, ...options })
  onTestFinished(async () => {
    await relay.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  relay.setRecipients([{ to: 'nobody@example.nz', behaviour: 'refused' }])
  const file = {
    settings: { SMTP_URL: relay.url, MAIL_FROM: 'Fantail <hello@fantail.example>' },
    to: 'mere@example.nz',
    refused: 'nobody@example.nz',
    listen: { port, seconds: 10 },
  }
  return { relay, file }
}

test('the mail simulator passes every conformance step, and each email’s Message-ID begins with CONF-', async () => {
  const { relay, file } = await startRelay()
  const { code, steps, end } = await runConformance('mail', file)
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(end).toMatchObject({
    skipped: 0,
    left: [],
    by_hand: [expect.stringContaining('is in the mailbox of mere@example.nz')],
  })
  expect(code).toBe(0)
  expect(relay.ledger().length).toBeGreaterThan(3)
  for (const mail of relay.ledger())
    expect(mail).toMatchObject({ message_id: expect.stringMatching(/^<CONF-/), tls: true, user: 'sandbox' })
})

test.each<[what: string, steps: string[], change: Partial<MailSimulatorOptions>]>([
  ['offers no TLS', ['tls', 'login', 'accepted', 'refused', 'repeat', 'attachment', 'message-id'], { tls: undefined }],
  ['requires another login', ['login', 'accepted', 'refused', 'repeat', 'attachment', 'message-id'], {}],
  ['rejects large emails', ['attachment'], { maxBytes: 100_000 }],
  ['replaces Message-IDs', ['message-id'], { newMessageIds: true }],
])('a mail relay that %s fails exactly these conformance steps: %j', async (what, steps, change) => {
  const { file } = await startRelay(change)
  const { settings } = file
  const url = what === 'requires another login' ? settings.SMTP_URL.replace('secret', 'wrong') : settings.SMTP_URL
  const { differs, code } = await runConformance('mail', { ...file, settings: { ...settings, SMTP_URL: url } })
  expect(differs).toEqual(steps)
  expect(code).toBe(1)
})

test.each(['ok', 'busy'] as const)(
  'a mail relay that answers %s for an unknown address fails the refused step',
  async (behaviour) => {
    const { relay, file } = await startRelay()
    relay.setRecipients([{ to: 'nobody@example.nz', behaviour }])
    const { differs, steps } = await runConformance('mail', file)
    expect(differs).toEqual(['refused'])
    expect(steps.find(({ step }) => step === 'refused')?.differs[0]).toContain('expected a 5xx to RCPT TO')
  },
)

test('if the mail relay is unreachable, the connect step is the first step of the conformance run to fail', async () => {
  const { relay, file } = await startRelay()
  await relay.setAway(true)
  const { differs } = await runConformance('mail', file)
  expect(differs[0]).toBe('connect')
})
