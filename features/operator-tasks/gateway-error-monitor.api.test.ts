import { beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#kit/server/db.ts'
import { isDatabaseUnavailable } from '#kit/server/database-unavailable.ts'
import type { AuthorisationOutcome, CardGateway, CardPayment, ModificationOutcome } from '#providers/card/card.port.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { monitorGatewayErrors } from './server/gateway-error-monitor.ts'

const rig = useRouteServer(() => [])
beforeEach(() => rig().db.deleteFrom('operator_tasks').execute())

let now = 0
const lines: string[] = []
let answer: AuthorisationOutcome & ModificationOutcome
function aProcess({ db = rig().db }: { db?: Db } = {}) {
  const say = (level: string) => (_fields: object, message: string) => void lines.push(`${level} ${message}`)
  const answers = async () => answer
  const gateway = Object.fromEntries(
    ['authorise', 'capture', 'cancel', 'refund', 'technicalCancel', 'disable'].map((name) => [name, answers]),
  ) as unknown as CardGateway
  const log = { info: say('info'), warn: say('warn'), error: say('error') }
  const card = monitorGatewayErrors(gateway, {
    db,
    log,
    noteOutage: isDatabaseUnavailable,
    thresholds: { calmMs: 300_000, remindMs: 60_000 },
    now: () => now,
  })
  const pay = (how: CardPayment['card'], shopperReference = 'ana') =>
    card.authorise({ card: how, shopperReference } as CardPayment)
  return {
    pay: (shopperReference = 'ana') => pay({ encrypted: 'adyenjs' }, shopperReference),
    payStored: () => pay({ storedId: 'CARD' }),
    capture: () => card.capture({} as Parameters<CardGateway['capture']>[0]),
  }
}
const says = (outcome: object) => void (answer = outcome as typeof answer)
const lockedOut = {
  outcome: 'unknown',
  why: 'HTTP 403',
  lockedOut: { code: '901', message: 'Invalid Merchant Account' },
}
const good = { outcome: 'received', pspReference: 'PSP' }

const tasks = async () =>
  (await rig().db.selectFrom('operator_tasks').select(['subject', 'done_by']).orderBy('created_at').execute()).map(
    ({ subject, done_by: by }) => `${subject}${by ? ` (${by})` : ''}`,
  )

test('a failing gateway operation creates one task per error code, which is closed five minutes after the operation recovers', async () => {
  const one = aProcess()
  says(lockedOut)
  for (let times = 0; times < 3; times++) await one.capture()
  await one.payStored()
  const [captured, paid] = ['card gateway: capture 901', 'card gateway: authorise with a stored card 901']
  expect(await tasks()).toEqual([captured, paid])
  expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(2)
  says(good)
  await one.capture()
  expect(await tasks()).toEqual([captured, paid])
  now += 300_000
  await one.capture()
  says({ outcome: 'unknown', why: 'HTTP 503' })
  await one.payStored()
  says({ outcome: 'authorised' })
  await one.pay()
  expect(await tasks()).toEqual([`${captured} (system)`, paid])
})

test('a task about a gateway fault is closed when a request succeeds after a restart', async () => {
  says(lockedOut)
  await aProcess().capture()
  says(good)
  await aProcess().capture()
  expect(await tasks()).toEqual(['card gateway: capture 901 (system)'])
})

describe('cards that the gateway cannot decrypt', () => {
  const undecryptable = { outcome: 'fault', code: '174', message: 'Unable to decrypt data' }
  const senderFault = { outcome: 'invalid', code: '174' }

  test('undecryptable cards from a single customer, however many, are treated as that customer’s fault and create no task', async () => {
    const one = aProcess()
    lines.length = 0
    says(undecryptable)
    for (let times = 0; times < 3; times++) expect(await one.pay('mallory')).toEqual(senderFault)
    expect(await tasks()).toEqual([])
    expect(lines).toEqual([])
  })

  test('undecryptable cards from two customers in a row are treated as our fault and create a task', async () => {
    const one = aProcess()
    says(undecryptable)
    expect(await one.pay('ana')).toEqual(senderFault)
    says({ outcome: 'refused', pspReference: 'PSP', reason: 'Refused' })
    await one.pay('mere')
    says(undecryptable)
    expect(await one.pay('tane')).toEqual(senderFault)
    expect(await one.pay('ana')).toMatchObject({ outcome: 'fault' })
    expect(await tasks()).toEqual(['card gateway: authorise with a new card 174'])
  })
})

test('the gateway’s response is returned even if the database fails, and an error is logged unless it is a database outage', async () => {
  const failing = (error: Error): Db =>
    new Proxy({} as Db, {
      get: () => () => {
        throw error
      },
    })
  const away = Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT', syscall: 'read' })
  lines.length = 0
  says(good)
  expect(await aProcess({ db: failing(away) }).capture()).toEqual(good)
  expect(lines).toEqual([])
  expect(await aProcess({ db: failing(new Error('no such column')) }).capture()).toEqual(good)
  expect(lines).toEqual(['warn a fault on our side could not be recorded'])
})
