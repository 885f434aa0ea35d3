import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { portingMessages } from './porting.contract.ts'
import { portServiceMessages } from './port-service.contract.ts'

const world = useWorld()
const pathOf = (uuid: string): string => `/api/services/port/${uuid}/`
const serviceOf = async ({ visitor, services: [service] }: Customer) =>
  (await visitor.get('/api/services/')).body[service!.id]
const ask = (customer: Customer, msisdn: string, change: object = {}) =>
  customer.visitor.post(pathOf(customer.services[0]!.id), { ...portForm(msisdn), ...change })
const acknowledge = ({ visitor, services: [service] }: Customer) =>
  visitor.post(`/api/services/acknowledge_port_failure/${service!.id}/`, {})
const arriveAt = (customer: Customer, status: number) =>
  pollUntil(async () => {
    const service = await serviceOf(customer)
    return service.porting_request?.status === status && service
  })

describe('transferring a number to an existing service', () => {
  test('a completed transfer changes only the service’s number, and the contact phone if that was the old number', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const number = await newPortableNumber(world())
    const before = await serviceOf(customer)
    expect(before.porting_request).toBeNull()
    expect(await ask(customer, number)).toMatchObject({ status: 200, body: { status: 1 } })
    expect(await serviceOf(customer)).toMatchObject({
      porting_request: { msisdn: number, failure_acknowledged_at: null },
      msisdn: customer.services[0]?.msisdn,
    })
    await world().advance('PT5H')
    const after = await arriveAt(customer, 3)
    expect(after).toEqual({
      ...before,
      msisdn: number,
      phone_number: formatNational(number),
      porting_request: {
        status: 3,
        msisdn: number,
        failure_acknowledged_at: null,
        reason: null,
        reason_text: '',
        donor: 'Skinny',
        billing_method: 1,
        requested_at: expect.any(String),
        progress: expect.objectContaining({ step: 'moved' }),
      },
      outlook: after.outlook,
    })
    expect((await customer.visitor.get('/api/account/')).body.user.phone).toBe(number)
    expect(
      (await customer.visitor.get(`/api/account/usage_summary/${after.uuid}/`)).body.plan.entitlements,
    ).toHaveLength(1)
    expect((await ask(customer, await newPortableNumber(world()))).body).toEqual({
      __all__: [portServiceMessages.done],
    })
  })

  test(
    'a customer acknowledges a failed number transfer only once, and can request it again',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { services: 1 })
      await ask(customer, await newPortableNumber(world(), 'fails'))
      await world().advance('PT5H')
      expect((await arriveAt(customer, 4)).porting_request).toMatchObject({
        failure_acknowledged_at: null,
        reason: 'sim_number',
        reason_text: 'Skinny has a different SIM number for this number.',
      })
      const first = await acknowledge(customer)
      expect(first).toMatchObject({ status: 200, body: { failure_acknowledged_at: expect.any(String) } })
      expect((await acknowledge(customer)).body).toEqual(first.body)
      expect((await serviceOf(customer)).porting_request).toMatchObject({ status: 4, ...first.body })

      const number = await newPortableNumber(world())
      expect((await ask(customer, number)).status).toBe(200)
      await world().advance('PT5H')
      expect((await arriveAt(customer, 3)).msisdn).toBe(number)
    },
  )

  test(
    'returns a failed transfer’s details only to its own customer, until a new transfer is requested',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { services: 2 })
      const read = (visitor = customer.visitor, at = 0) => visitor.get(pathOf(customer.services[at]!.id))
      expect(await read()).toMatchObject({ status: 200, body: null })
      const number = await newPortableNumber(world(), 'fails')
      const sent = { billing_method: 2, account_number: 'AB12345', prepaid_sim_number: '' }
      expect((await ask(customer, number, sent)).status).toBe(200)
      expect((await read()).body).toBeNull()
      await world().advance('PT5H')
      expect((await arriveAt(customer, 4)).porting_request).toMatchObject({
        reason: 'account_number',
        reason_text: 'Skinny has a different account number for this number.',
      })
      expect((await read()).body).toEqual({ msisdn: formatNational(number), provider: 'skinny', ...sent })
      expect((await read(customer.visitor, 1)).body).toBeNull()
      expect((await read((await makeCustomer(world())).visitor)).status).toBe(404)
      expect((await read(world().visitor())).status).toBe(401)

      await ask(customer, await newPortableNumber(world()))
      expect((await read()).body).toBeNull()
      await world().advance('PT5H')
      await arriveAt(customer, 3)
      expect((await read()).body).toBeNull()
    },
  )

  test('accepts only one open number transfer per service', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const number = await newPortableNumber(world())
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(customer, number)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    for (const { status, body } of answers)
      // oxlint-disable-next-line vitest/no-conditional-expect
      if (status === 400) expect(body).toEqual({ __all__: [portServiceMessages.underWay] })
    const orders = (await world().ledgers()).network.filter(({ external_id }) =>
      external_id.startsWith(`${customer.services[0]?.id}-port`),
    )
    expect(orders.length).toBeLessThanOrEqual(1)
  })

  test('reports every invalid field of a transfer request', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const { status, body } = await customer.visitor.post(pathOf(customer.services[0]!.id), {})
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        msisdn: ['This field is required.'],
        provider: ['This field is required.'],
        billing_method: [portingMessages.billingMethod],
      },
    })
    expect((await ask(customer, customer.services[0]!.msisdn)).body).toEqual({ msisdn: [portingMessages.ownNumber] })
    expect((await ask(customer, '0275550100', { provider: 'unknown' })).body).toEqual({
      provider: [portingMessages.provider],
    })
    expect((await ask(customer, '+61491570006', { provider: 'skinny' })).body).toEqual({
      msisdn: [portingMessages.number],
    })
  })
})

test('requesting a transfer for another customer’s service answers 404, just as for a service that does not exist', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const { visitor } = await makeCustomer(world())
  for (const uuid of [customer.services[0]!.id, crypto.randomUUID(), 'nonsense']) {
    expect(await visitor.post(pathOf(uuid), portForm('0275550100'))).toMatchObject({
      status: 404,
      body: { code: 'Not found.' },
    })
    expect(await visitor.post(`/api/services/acknowledge_port_failure/${uuid}/`, {})).toMatchObject({
      status: 404,
      body: { code: 'Not found.' },
    })
  }
})
