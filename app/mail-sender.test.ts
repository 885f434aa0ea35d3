import { readFileSync } from 'node:fs'
import { onTestFinished, test, expect } from 'vitest'
import { type MailSimulatorOptions, startMailSimulator } from '#simulators/mail/simulator.ts'
import { makeDataDir } from '#simulators/network/test-network.ts'
import { createMailSender } from './mail-sender.ts'

const mail = {
  messageId: '<one@fantail.example>',
  from: 'hello@fantail.example',
  to: 'mere@example.nz',
  subject: 'Kia ora',
  text: 'Kia ora',
  html: '<p>Kia ora</p>',
}
const tls = {
  cert: readFileSync('quality/tls/localhost.crt', 'utf8'),
  key: readFileSync('quality/tls/localhost.key', 'utf8'),
}

async function startRelay(options: Partial<MailSimulatorOptions> = {}) {
  const relay = await startMailSimulator({ port: 0, dataDir: await makeDataDir(), ...options })
  onTestFinished(() => relay.close())
  return relay
}
const sendTo = (smtpUrl: string) => createMailSender({ smtpUrl }, { requireTls: true }).send(mail)

test('email is sent through a local relay even if it offers no TLS', async () => {
  const relay = await startRelay()
  expect(await sendTo(relay.url)).toBe('sent')
  expect(relay.ledger()).toMatchObject([{ tls: false }])
})

test('email to a local relay is encrypted if the relay offers STARTTLS, even if its certificate is not trusted', async () => {
  const relay = await startRelay({ tls: { ...tls, implicit: false } })
  expect(await sendTo(relay.url)).toBe('sent')
  expect(relay.ledger()).toMatchObject([{ tls: true }])
})

test('a local mail relay’s certificate is checked if the relay’s URL requires TLS', async () => {
  const relay = await startRelay({ tls: { ...tls, implicit: true } })
  await expect(sendTo(relay.url)).rejects.toThrow(/certificate/)
  expect(relay.ledger()).toEqual([])
})
