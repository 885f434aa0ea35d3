import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SmsSimulator, startSmsSimulator } from '#simulators/sms/simulator.ts'
import { runConformance } from '#quality/support/run-conformance.ts'
import { type Deviation, startDeviatingProxy } from '#quality/support/deviating-proxy.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'

let dataDir: string
let carrier: SmsSimulator

beforeEach(async () => {
  dataDir = createDataFolder('conformance-sms-')
  carrier = await startSmsSimulator({
    port: 0,
    dataDir,
    access: { demand: { kind: 'basic', user: 'sandbox', password: 'secret' } },
  })
  carrier.setRecipients([{ to: '+64210000009', behaviour: 'refused' }])
})
afterEach(async () => {
  await carrier.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const fileFor = (url = carrier.url) => ({
  settings: { SMS_URL: url, SMS_SENDER: 'Fantail', SMS_AUTH: 'basic', SMS_USER: 'sandbox', SMS_PASSWORD: 'secret' },
  to: '+64210000001',
  refused: '+64210000009',
})

test('the SMS simulator passes every conformance step, and accepts every SMS exactly once', async () => {
  const { code, steps, end } = await runConformance('sms', fileFor())
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  expect(end).toMatchObject({
    skipped: 0,
    left: [],
    by_hand: [expect.stringContaining('the phone +64210000001 shows')],
  })
  expect(code).toBe(0)
  expect(carrier.ledger().map(({ to, asked }) => [to, asked])).toEqual([
    ['+64210000001', 1],
    ['+64210000001', 2],
    ['+64210000001', 1],
  ])
})

type Answer = { sender?: object; content?: string }
const changed = (change: (body: Answer) => Answer): Deviation => ({
  answer: (_call, answer) => (answer.status === 201 ? { ...answer, body: change(answer.body as Answer) } : answer),
})
let count = 0

test.each<[what: string, steps: string[], deviation: Deviation]>([
  [
    'accepts callers without valid credentials',
    ['wrong-key'],
    {
      call: (call) => ({
        ...call,
        headers: { ...call.headers, authorization: `Basic ${btoa('sandbox:secret')}` },
      }),
    },
  ],
  [
    'sends a repeated text again',
    ['repeat'],
    {
      call: ({ headers, ...call }) => ({
        ...call,
        headers: { ...headers, 'idempotency-key': String(count++) },
        body: { ...(call.body as object), characteristic: [] },
      }),
    },
  ],
  ['uses another sender', ['sender'], changed((body) => ({ ...body, sender: { phoneNumber: '4567' } }))],
  [
    'replaces special letters',
    ['sender'],
    changed((body) => ({ ...body, content: body.content?.replaceAll(/[^ -~]/g, '?') })),
  ],
  [
    'accepts every number',
    ['refused'],
    { call: (call) => (isTo(call.body, '+64210000009') ? { status: 202, headers: {}, body: {} } : call) },
  ],
  [
    'rejects texts with an HTML page',
    ['refused'],
    { answer: (_call, answer) => (answer.status === 422 ? { ...answer, body: '<h1>Bad number</h1>' } : answer) },
  ],
])('an SMS carrier that %s fails exactly these conformance steps: %j', async (_what, steps, deviation) => {
  const deviant = await startDeviatingProxy(carrier.url, deviation)
  const { differs, code } = await runConformance('sms', fileFor(deviant.url))
  await deviant.close()
  expect(differs).toEqual(steps)
  expect(code).toBe(1)
})

const isTo = (body: unknown, number: string): boolean => JSON.stringify(body).includes(number)
