import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { clearFailures, failNetwork, readNetworkActions, newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { cancelPort } from './server/cancel-port.ts'
import type { PortingRequest } from './server/porting.store.ts'

const world = useWorld()
const mere = { by: 'operator', name: 'Mere' } as const

const ask = ({ visitor, services: [service] }: Customer, msisdn: string) =>
  visitor.post(`/api/services/port/${service!.id}/`, portForm(msisdn))
const portsOf = (msisdn: string): Promise<PortingRequest[]> =>
  world().db.selectFrom('porting_requests').selectAll().where('msisdn', '=', msisdn).orderBy('created_at').execute()
const comesTo = (msisdn: string, status: string) =>
  pollUntil(async () => {
    const port = (await portsOf(msisdn)).at(-1)
    return port?.status === status && port
  })
async function aTransfer(behaviour: 'waits_for_reply' | 'waits_for_donor' | 'completes' = 'waits_for_reply') {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world(), behaviour)
  expect((await ask(customer, number)).status).toBe(200)
  if (behaviour !== 'completes')
    await at(number, behaviour === 'waits_for_reply' ? 'awaitingCustomerReply' : 'confirmed')
  const [port] = await portsOf(number)
  return { customer, number, id: port!.external_id }
}
const at = (number: string, subState: string) =>
  pollUntil(async () => (await portsOf(number)).at(-1)?.sub_state === subState)

const retryNow = (number: string) =>
  world().db.updateTable('porting_requests').set({ retry_at: new Date() }).where('msisdn', '=', number).execute()

const seenBy = async ({ visitor, services: [service] }: Customer) =>
  (await visitor.get('/api/services/')).body[service!.id]
const reservedBy = async (msisdn: string) =>
  (await world().db.selectFrom('reserved_numbers').selectAll().where('msisdn', '=', msisdn).execute()).length
const mailsAbout = async ({ email }: { email: string }, number: string) =>
  (await world().mailTo(email))
    .map(({ subject }) => subject)
    .filter((each) => each.includes(formatNational(number)) && !each.startsWith('Reply YES'))
const eventsOf = async (externalId: string) =>
  world()
    .db.selectFrom('porting_events')
    .innerJoin('porting_requests', 'porting_requests.id', 'porting_events.port_id')
    .select(['event', 'porting_events.status', 'actor', 'code'])
    .where('external_id', '=', externalId)
    .orderBy('porting_events.id')
    .execute()
const atNetwork = async (externalId: string) =>
  (await world().ledgers()).network.filter(({ external_id: id }) => id === externalId).map(({ state }) => state)
const cancelledMail = (number: string) => `The transfer of your number ${formatNational(number)} was cancelled`

describe('cancelling a number transfer before the customer has confirmed it', () => {
  test(
    'a cancelled transfer frees the number, keeps the service’s own number and emails the customer',
    { tags: ['slow'] },
    async () => {
      const { customer, number, id } = await aTransfer()
      expect(await cancelPort(world().deps, id, mere)).toEqual({ outcome: 'cancelled' })
      expect(await atNetwork(id)).toEqual(['cancelled'])
      expect(await reservedBy(number)).toBe(0)
      expect(await seenBy(customer)).toMatchObject({
        msisdn: customer.services[0]!.msisdn,
        porting_request: {
          status: 4,
          failure_acknowledged_at: null,
          reason: 'cancelled',
          reason_text: 'The transfer was cancelled, and the number is still with Skinny.',
        },
      })
      await pollUntil(async () => (await mailsAbout(customer, number)).length > 0)
      expect(await mailsAbout(customer, number)).toEqual([cancelledMail(number)])
      const events = (await eventsOf(id)).map(({ event, actor }) => [event, actor])
      // A poll may miss a state, so the number of `answered` events varies and the test ignores them.
      expect(events.filter(([event]) => event !== 'answered')).toEqual([
        ['requested', null],
        ['cancel', 'operator:Mere'],
        ['cancelled', null],
      ])
      expect(events).toContainEqual(['answered', null])
      const acts = await world()
        .db.selectFrom('audit_events')
        .select(['event', 'actor', 'details'])
        .where('user_id', '=', customer.id)
        .where('event', '=', 'number_transfer_cancel_requested')
        .execute()
      expect(acts).toEqual([
        { event: 'number_transfer_cancel_requested', actor: 'operator:Mere', details: { transfer: id } },
      ])

      expect(await cancelPort(world().deps, id, mere)).toEqual({
        outcome: 'impossible',
        why: 'This transfer was already cancelled.',
      })
      const again = await customer.visitor.get(`/api/services/port/${customer.services[0]!.id}/`)
      expect(again.body).toMatchObject({ msisdn: formatNational(number) })
      expect((await ask(customer, number)).status).toBe(200)
      await at(number, 'awaitingCustomerReply')
      await world().advance('PT5H')
      expect((await comesTo(number, 'COMPLETED')).external_id).toBe(`${customer.services[0]!.id}-port-2`)
      expect((await seenBy(customer)).msisdn).toBe(number)
      expect(await findFaultsWhenIdle(world())).toEqual([])
    },
  )

  test('a transfer that is being cancelled shows as in progress until the network decides, and blocks a new request', async () => {
    const { customer, number, id } = await aTransfer()
    await failNetwork(world(), { operation: 'cancel', kind: 'error_500', times: 100 })
    const asked = cancelPort(world().deps, id, mere)
    await comesTo(number, 'CANCELLING')
    expect((await seenBy(customer)).porting_request).toMatchObject({ status: 2, reason: null, reason_text: '' })
    expect((await ask(customer, number)).status).toBe(400)
    for (const tries of [1, 2]) {
      await pollUntil(async () => ((await portsOf(number))[0]?.tries ?? 0) >= tries)
      await retryNow(number)
    }
    expect((await eventsOf(id)).filter(({ event }) => event === 'no_answer')).toHaveLength(1)
    await clearFailures(world())
    await retryNow(number)
    await comesTo(number, 'CANCELLED')
    expect(await asked).toEqual({ outcome: 'cancelled' })
    expect(await reservedBy(number)).toBe(0)
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test(
    'creates a task while the carrier reports that the transfer’s order is in an unknown state',
    { tags: ['slow'] },
    async () => {
      const { number, id } = await aTransfer()
      await failNetwork(world(), { operation: 'read', kind: 'says_unheard_of', times: 1_000 })
      const asked = cancelPort(world().deps, id, mere)
      const tasks = () =>
        world().db.selectFrom('operator_tasks').select(['reason', 'done_by']).where('subject', '=', id).execute()
      await comesTo(number, 'CANCELLING')
      await pollUntil(async () => (await tasks()).length > 0)
      await clearFailures(world())
      await comesTo(number, 'CANCELLED')
      await asked
      expect(await tasks()).toEqual([{ reason: expect.stringContaining('“marinating”'), done_by: 'system' }])
    },
  )

  test(
    'cancels a number transfer at the network only once, even if the network’s response is lost',
    { tags: ['slow'] },
    async () => {
      const { number, id } = await aTransfer()
      await failNetwork(world(), { operation: 'cancel', kind: 'lost_answer' })
      await cancelPort(world().deps, id, mere)
      await comesTo(number, 'CANCELLED')
      const tasks = await fetch(`${world().deps.outside.networkUrl}/tmf-api/serviceOrdering/v4/cancelServiceOrder`)
      const { cancel_asked_at: askedAt } = (await portsOf(number))[0]!
      expect(
        ((await tasks.json()) as { requestedCancellationDate: string }[]).filter(
          ({ requestedCancellationDate: date }) => date === askedAt?.toISOString(),
        ),
      ).toHaveLength(1)
    },
  )
})

describe('number transfers that the network refuses to cancel', () => {
  test('a confirmed number transfer cannot be cancelled and still completes', { tags: ['slow'] }, async () => {
    const { customer, number, id } = await aTransfer('waits_for_donor')
    expect(await cancelPort(world().deps, id, mere)).toEqual({
      outcome: 'refused',
      code: 'CANCEL_TOO_LATE',
      message: 'The port is confirmed and can no longer be cancelled.',
    })
    expect((await portsOf(number))[0]).toMatchObject({ status: 'SUBMITTED', ended_at: null })
    expect(await reservedBy(number)).toBe(1)
    await world().advance('PT5H')
    await comesTo(number, 'COMPLETED')
    expect((await seenBy(customer)).msisdn).toBe(number)
    expect(await cancelPort(world().deps, id, mere)).toEqual({
      outcome: 'impossible',
      why: 'This transfer is complete: the number is with us.',
    })
    expect(await mailsAbout(customer, number)).toEqual([
      `Your number ${formatNational(number)} is now with Fantail Mobile`,
    ])
    const events = (await eventsOf(id)).filter(({ event }) => event !== 'answered')
    expect(events.slice(-3)).toMatchObject([
      { event: 'cancel', status: 'CANCELLING' },
      { event: 'cancel_refused', status: 'SUBMITTED', code: 'CANCEL_TOO_LATE' },
      { event: 'completed', status: 'COMPLETED' },
    ])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test(
    'a number transfer can be cancelled after the network has rejected a first cancellation',
    { tags: ['slow'] },
    async () => {
      const { number, id } = await aTransfer()
      await failNetwork(world(), { operation: 'cancel', kind: 'fail_permanent' })
      expect(await cancelPort(world().deps, id, mere)).toMatchObject({
        outcome: 'refused',
        code: 'PROVISIONING_REFUSED',
      })
      expect(await cancelPort(world().deps, id, mere)).toEqual({ outcome: 'cancelled' })
      expect((await portsOf(number))[0]).toMatchObject({ status: 'CANCELLED', failure_code: null })
    },
  )

  test(
    'a number transfer that completes while its cancellation is being retried counts as completed',
    { tags: ['slow'] },
    async () => {
      const { customer, number, id } = await aTransfer()
      await failNetwork(world(), { operation: 'cancel', kind: 'error_500', times: 100 })
      const asked = cancelPort(world().deps, id, mere)
      await comesTo(number, 'CANCELLING')
      await world().advance('PT5H')
      await clearFailures(world())
      await retryNow(number)
      await comesTo(number, 'COMPLETED')
      expect([{ outcome: 'over', status: 'COMPLETED' }, { outcome: 'undecided' }]).toContainEqual(await asked)
      expect((await seenBy(customer)).msisdn).toBe(number)
      expect(await findFaultsWhenIdle(world())).toEqual([])
    },
  )
})

describe('cancelling a number transfer that may not have reached the network', () => {
  test('a number transfer that was never submitted is cancelled at once, without a request to the network', async () => {
    const { customer, number, id } = await aTransferThatNeverLeft()
    expect(await cancelPort(world().deps, id, mere)).toEqual({ outcome: 'cancelled' })
    await pollUntil(async () => (await mailsAbout(customer, number)).length > 0)
    expect(await mailsAbout(customer, number)).toEqual([cancelledMail(number)])
    expect(await atNetwork(id)).toEqual([])
    expect(await reservedBy(number)).toBe(0)
    expect((await eventsOf(id)).map(({ event, actor }) => [event, actor])).toEqual([
      ['requested', null],
      ['cancelled', 'operator:Mere'],
    ])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })

  test(
    'a number transfer whose submission got no response is cancelled once it can no longer reach the network',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { services: 1 })
      const number = await newPortableNumber(world())
      await failNetwork(world(), { operation: 'port_in', kind: 'error_500', times: 100 })
      await ask(customer, number)
      const { external_id: id } = await pollUntil(async () => {
        const [port] = await portsOf(number)
        return port?.handed_in_at && port
      })
      const handedIn = (handed_in_at: Date) =>
        world()
          .db.updateTable('porting_requests')
          .set({ handed_in_at, retry_at: new Date() })
          .where('msisdn', '=', number)
          .execute()
      const asked = cancelPort(world().deps, id, mere)
      await comesTo(number, 'CANCELLING')
      await handedIn(new Date(Date.now() + 3_600_000))
      await clearFailures(world())
      expect(await asked).toEqual({ outcome: 'undecided' })
      await handedIn(new Date(Date.now() - 60_000))
      await comesTo(number, 'CANCELLED')
      expect(await atNetwork(id)).toEqual([])
      expect(await findFaultsWhenIdle(world())).toEqual([])
    },
  )
})

async function aTransferThatNeverLeft() {
  const customer = await makeCustomer(world(), { services: 1 })
  const number = await newPortableNumber(world())
  const { send } = world().deps.jobs
  world().deps.jobs.send = async (trx, retries, key) => {
    if (retries.queue !== 'porting.follow') await send(trx, retries, key)
  }
  expect((await ask(customer, number)).status).toBe(200)
  world().deps.jobs.send = send
  await world().db.updateTable('porting_requests').set({ retry_at: null }).where('msisdn', '=', number).execute()
  const [port] = await portsOf(number)
  return { customer, number, id: port!.external_id }
}

describe('cancelling a number transfer requested during an activation', () => {
  test('cancelling a number transfer requested during an activation keeps the new SIM, its plan and its own number', async () => {
    const number = await newPortableNumber(world(), 'waits_for_reply')
    const { orderCode, email, sim } = await activate(world(), { port: portForm(number) })
    await at(number, 'awaitingCustomerReply')
    const id = `${orderCode}-port-1`
    expect(await cancelPort(world().deps, id, mere)).toEqual({ outcome: 'cancelled' })
    expect(await readNetworkActions(world(), orderCode)).toEqual([
      'activate completed',
      'add_plan completed',
      'port_in cancelled',
    ])
    const order = await world()
      .db.selectFrom('orders')
      .innerJoin('services', 'services.id', 'orders.service_id')
      .select(['state', 'services.msisdn'])
      .where('order_code', '=', orderCode)
      .executeTakeFirstOrThrow()
    expect(order).toEqual({ state: 'completed', msisdn: sim.msisdn })
    await pollUntil(async () => (await mailsAbout({ email }, number)).length > 0)
    expect(await mailsAbout({ email }, number)).toEqual([cancelledMail(number)])
    expect(await findFaultsWhenIdle(world())).toEqual([])
  })
})
