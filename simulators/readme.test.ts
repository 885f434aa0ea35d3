import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTokenServer } from './access/token-server.ts'
import { startGatewaySimulator } from './gateway/server.ts'
import { encryptTestCard } from './gateway/test-merchant.ts'
import { startMailSimulator } from './mail/simulator.ts'
import { startNetworkSimulator } from './network/simulator.ts'
import { makeDataDir } from './network/test-network.ts'
import { startSmsSimulator } from './sms/simulator.ts'

type Example = { method: string; path: string; body: string }
type Values = Record<string, string>

const examplePattern = /^```(?:http|form)\n(\S+) (.+)\n([^`]+)^```$/gm

/** Returns the requests in a simulator's README, in order. */
const readExamples = (simulator: string): Example[] =>
  [...readFileSync(join(import.meta.dirname, simulator, 'README.md'), 'utf8').matchAll(examplePattern)].map(
    ([, method = '', path = '', body = '']) => ({ method, path, body: body.trim() }),
  )

/** Sends an example, with values for its `<placeholders>`, and returns the response's body. @throws unless the status is 2xx */
async function send(url: string, { method, path, body }: Example, values: Values = {}, apiKey = 'key') {
  const fill = (text: string): string => text.replaceAll(/<([^>]+)>/g, (_match, name: string) => values[name] ?? '')
  const type = body.includes('grant_type=') ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await fetch(new URL(fill(path), url), {
    method,
    headers: { 'content-type': type, 'x-api-key': apiKey },
    body: fill(body),
  })
  const text = await response.text()
  expect({ path, body, status: response.status, text }).toMatchObject({
    status: expect.toSatisfy((code) => code < 300),
  })
  return text.startsWith('{') ? JSON.parse(text) : null
}

const get = async (url: string, path: string) => (await fetch(new URL(`/_simulator/${path}`, url))).json()

test('every request in the README of the gateway simulator is accepted', async () => {
  const options = { port: 0, apiKey: 'key', merchantAccount: 'FantailNZ', hmacKey: 'AB'.repeat(32) }
  const gateway = await startGatewaySimulator({ ...options, dataDir: await makeDataDir() })
  onTestFinished(() => gateway.close())
  const values: Values = { 'encrypted card': encryptTestCard(gateway.publicKey) }
  const examples = readExamples('gateway')
  expect(examples.length).toBeGreaterThan(10)
  for (const example of examples) {
    const { pspReference, resultCode = 'none' } = (await send(gateway.url, example, values)) ?? {}
    expect([example.path, resultCode]).toEqual([
      example.path,
      example.path.endsWith('/authorise') ? 'Authorised' : 'none',
    ])
    if (resultCode === 'none') continue
    values['pspReference'] = pspReference
    values['stored card'] = (await get(gateway.url, 'cards'))[0].id
  }
})

test('every request in the README of the network simulator is accepted', async () => {
  const timing = { stepMs: 1, portDelayMs: 600_000 }
  const network = await startNetworkSimulator({ port: 0, dataDir: await makeDataDir(), ...timing })
  onTestFinished(() => network.close())
  const examples = readExamples('network')
  expect(examples.length).toBeGreaterThan(14)
  // Imports come first, because orders need them. The subscription comes last, because its address must not get any events.
  const rankOf = ({ path }: Example): number =>
    /_simulator\/(?:sims|products|ports)$/.test(path) ? 0 : path.endsWith('/hub') ? 2 : 1
  const values: Values = {}
  for (const example of examples.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const body = await send(network.url, example, values)
    await vi.waitUntil(() =>
      network.ledger().every(({ action, state }) => action === 'port_in' || state === 'completed'),
    )
    if (!example.body.includes('numberPortIn')) continue
    values['id of the transfer'] = body.id
    // After half an hour, the losing provider has texted the code.
    network.setClockOffset(30 * 60_000)
    values['code'] = /code .* is (\d+)/.exec((await get(network.url, 'ports/texts'))[0].text)?.[1] ?? ''
  }
})

test('every request in the READMEs of the mail, SMS and token simulators is accepted', async () => {
  const mail = await startMailSimulator({ port: 0, dataDir: await makeDataDir() })
  onTestFinished(() => mail.close())
  const sms = await startSmsSimulator({ port: 0, dataDir: await makeDataDir() })
  onTestFinished(() => sms.close())
  const client = { clientId: 'fantail', clientSecret: 'secret', tokenSecret: 'signs-tokens' }
  const tokens = await startTokenServer({ port: 0, dataDir: await makeDataDir(), ...client })
  onTestFinished(() => tokens.close())
  const urls = { mail: mail.controlUrl, sms: sms.url, access: tokens.url }
  for (const [simulator, url] of Object.entries(urls)) {
    const examples = readExamples(simulator)
    expect(examples.length).toBeGreaterThan(1)
    for (const example of examples) await send(url, example)
  }
})
