/* @module-tag slow */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { type ExternalService, externalServices } from '#kit/server/external-calls.ts'
import { retryNow } from '#kit/server/retry-queue.ts'
import { relayUpkeep } from '#app/relay-outages.ts'
import { queueSms } from '#features/messages/server/messages.ts'
import { messageQueue } from '#features/messages/server/messages.store.ts'
import { activate, type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { startOutageTestWorld } from '#quality/support/outage-test-world.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { World } from '#quality/support/world.ts'

type OutagesWorld = Awaited<ReturnType<typeof startOutageTestWorld>>
let world: OutagesWorld
const lines: string[] = []

beforeAll(async () => {
  // These tests count failures as an outage after one second; production waits for minutes.
  world = await startOutageTestWorld({ outageMs: 1_000, noteMs: 50 })
  for (const level of ['info', 'warn', 'error'] as const)
    world.deps.log[level] = (details: object, message: string) => {
      if ('service' in details && 'failures' in details) lines.push(`${level} ${String(details.service)}: ${message}`)
    }
})
afterAll(() => world?.close())

const taskOf = (service: ExternalService) =>
  world.db
    .selectFrom('operator_tasks')
    .select(['reason', 'done_by', 'done_at'])
    .where('kind', '=', 'outage')
    .where('subject', '=', service)
    .execute()

async function outageOf(
  service: ExternalService,
  act: { cut(): Promise<void>; mend(): Promise<void>; call(): Promise<void> },
) {
  lines.length = 0
  await act.cut()
  await pollUntil(
    async () => {
      await act.call()
      await pause(300)
      return (await taskOf(service)).length > 0
    },
    { withinMs: 60_000 },
  )
  const [open] = await taskOf(service)
  await act.mend()
  const done = await pollUntil(
    async () => {
      await retryNow(world.db, messageQueue)
      await act.call()
      await pause(300)
      const [task] = await taskOf(service)
      return task?.done_at && task
    },
    { withinMs: 60_000 },
  )
  return { open, done, said: lines.filter((line) => line.includes(` ${service}: `)) }
}

const expectOutage = ({ open, done, said }: Awaited<ReturnType<typeof outageOf>>, service: ExternalService): void => {
  const name = externalServices[service]
  expect(open).toMatchObject({ reason: expect.stringMatching(`^${name} has not answered since `), done_by: null })
  expect(done).toMatchObject({ done_by: 'system' })
  expect(said).toEqual([`warn ${service}: ${name} does not answer`, `info ${service}: ${name} answers again`])
}
const ledgerFaults = () => findFaultsWhenIdle({ ...world, operatorPort: null } as unknown as World)
const allDelivered = async (travellers: WizardVisitor[]) => {
  for (const traveller of travellers)
    expect(await traveller.arriveAt('SUCCESSFUL', 'PERMANENTLY_FAILED', 'ERROR_CAN_RETRY')).toMatchObject({
      state: 'SUCCESSFUL',
    })
}

test(
  'payments in progress during a card gateway outage are charged only once, and their orders are delivered',
  { timeout: 180_000 },
  async () => {
    const travellers = [await advanceWizardTo(world, 'PAYMENT'), await advanceWizardTo(world, 'PAYMENT')]
    const waiting = [...travellers]
    const outage = await outageOf('card_gateway', {
      ...world.lines.card_gateway,
      async call() {
        const next = waiting.pop()
        if (next) expect((await next.pay()).status).toBe(202)
      },
    })
    expectOutage(outage, 'card_gateway')
    await allDelivered(travellers)
    expect(await ledgerFaults()).toEqual([])
  },
)

test('orders placed during a mobile network outage are delivered afterwards', { timeout: 180_000 }, async () => {
  const travellers = [await advanceWizardTo(world, 'PAYMENT'), await advanceWizardTo(world, 'PAYMENT')]
  const waiting = [...travellers]
  const outage = await outageOf('mobile_network', {
    ...world.lines.mobile_network,
    async call() {
      const next = waiting.pop()
      if (next) expect((await next.pay()).status).toBe(200)
    },
  })
  expectOutage(outage, 'mobile_network')
  await allDelivered(travellers)
  expect(await ledgerFaults()).toEqual([])
})

test(
  'an outage of the usage service is logged and opens a task, which is closed when the service responds again',
  { timeout: 180_000 },
  async () => {
    const setFailures = (method: string, body?: object) =>
      fetch(`${world.network.url}/_simulator/failures`, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
    const outage = await outageOf('usage', {
      cut: async () => void (await setFailures('POST', { operation: 'balance', kind: 'error_500', times: 1_000 })),
      mend: async () => void (await setFailures('DELETE')),
      call: async () => void (await world.deps.networkUsage.balances('+64210000000')),
    })
    expectOutage(outage, 'usage')
  },
)

test('after a mail relay outage, each email arrives once', { timeout: 180_000 }, async () => {
  const travellers: WizardVisitor[] = []
  const before = world.relay.received.length
  const outage = await outageOf('mail', {
    ...world.lines.mail,
    async call() {
      if (travellers.length < 2) travellers.push(await activate(world))
      else await retryNow(world.db, messageQueue)
    },
  })
  expectOutage(outage, 'mail')
  await allDelivered(travellers)
  expect(await ledgerFaults()).toEqual([])
  const to = world.relay.received.slice(before).flatMap((mail) => mail.to)
  for (const { email } of travellers) expect(to.filter((line) => line.includes(email))).toHaveLength(1)
})

test('after an SMS carrier outage, each text message arrives once', { timeout: 180_000 }, async () => {
  const { id: userId } = await world.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
  const sms = { eventKey: `test:${crypto.randomUUID()}`, to: '+64211234567', userId, text: 'Kia ora' }
  const outage = await outageOf('sms', {
    ...world.lines.sms,
    async call() {
      await transact(world.db, (trx) => queueSms(trx, world.deps, sms))
      await retryNow(world.db, messageQueue)
    },
  })
  expectOutage(outage, 'sms')
  expect(await ledgerFaults()).toEqual([])
  expect(world.carrier.received).toHaveLength(1)
})

test('emails whose next retry is an hour away are sent as soon as the mail relay responds again', async () => {
  const waiting = () =>
    world.db
      .selectFrom('messages')
      .select(['id', 'tries', 'retry_at'])
      .where('channel', '=', 'email')
      .where('retry_at', 'is not', null)
      .orderBy('id')
      .execute()
  await world.lines.mail.cut()
  const travellers = await Promise.all([activate(world), activate(world)])
  await pollUntil(async () => {
    const mails = await waiting()
    return mails.length >= 2 && mails.every(({ tries }) => tries > 0)
  })
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await world.db
    .updateTable('messages')
    .set({ retry_at: ago(-60), tries: 12 })
    .where('channel', '=', 'email')
    .where('retry_at', 'is not', null)
    .execute()
  const outages = world.db.updateTable('outages').set({ failing_since: ago(90) })
  await pollUntil(async () => {
    const { numUpdatedRows } = await outages
      .where('service', '=', 'mail')
      .where('failing_since', 'is not', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
  await world.lines.mail.mend()
  const setReason = (why: string) =>
    world.db.updateTable('outages').set({ why }).where('service', '=', 'mail').execute()
  await setReason('EENVELOPE 450')
  const before = await waiting()
  await relayUpkeep(world.db).run()
  expect(await waiting()).toEqual(before)
  await setReason('ECONNECTION')
  await relayUpkeep(world.db).run()
  await pollUntil(async () => (await waiting()).length === 0)
  const reached = world.relay.received.flatMap((mail) => mail.to)
  for (const { email } of travellers) expect(reached.filter((line) => line.includes(email))).toHaveLength(1)
})
