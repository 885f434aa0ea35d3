import { describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { orderFailureMessages } from '#features/orders/orders.contract.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { activate, portForm, type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { portingMessages } from './porting.contract.ts'

const world = useWorld()

const taken = { status: 400, body: { msisdn: [portingMessages.taken] } }
const numberTaken = { status: 400, body: { __all__: [orderFailureMessages.numberTaken] } }

async function ask({ visitor, services: [service] }: Customer, msisdn: string) {
  const { status, body } = await visitor.post(`/api/services/port/${service!.id}/`, portForm(msisdn))
  return { status, body }
}
async function answer({ visitor }: Pick<WizardVisitor, 'visitor'>, msisdn: string) {
  const { status, body } = await visitor.post('/api/activate/port/', portForm(msisdn))
  return { status, body }
}
const aCustomer = () => makeCustomer(world(), { services: 1 })
const atTheStep = async () => advanceWizardTo(world(), 'PORTING_ENTERED', { port: portForm('027 555 0142') })
const atTheCheckout = (number: string, more = {}) =>
  advanceWizardTo(world(), 'PAYMENT', { port: portForm(number), ...more })
const statusOf = async ({ visitor, services: [service] }: Customer) =>
  (await visitor.get('/api/services/')).body[service!.id].porting_request?.status
const reservedBy = async (msisdn: string) =>
  (await world().db.selectFrom('reserved_numbers').selectAll().where('msisdn', '=', msisdn).execute()).length

describe('requesting the transfer of a number that already belongs to us', () => {
  test('gives the same error for a number on another customer’s service as for a number on an unsold SIM pack', async () => {
    const [customer, other, step] = [await aCustomer(), await aCustomer(), await atTheStep()]
    const [service] = other.services
    const pack = await world().newSim()
    for (const number of [service!.msisdn, formatNational(service!.msisdn), pack.msisdn]) {
      expect(await ask(customer, number)).toEqual(taken)
      expect(await answer(step, number)).toEqual(taken)
    }
    expect(await statusOf(customer)).toBeUndefined()
  })

  test(
    'rejects the transfer of a number that has already moved to us, and of the number that it replaced',
    { tags: ['slow'] },
    async () => {
      const [customer, other] = [await aCustomer(), await aCustomer()]
      const number = await newPortableNumber(world())
      expect((await ask(other, number)).status).toBe(200)
      await world().advance('PT5H')
      await pollUntil(async () => (await statusOf(other)) === 3)
      expect(await reservedBy(number)).toBe(0)
      expect(await ask(customer, number)).toEqual(taken)
      expect(await ask(customer, other.services[0]!.msisdn)).toEqual(taken)
    },
  )

  test('a number can be transferred again once the service that used it has been released', async () => {
    const [customer, other] = [await aCustomer(), await aCustomer()]
    const number = await newPortableNumber(world())
    await world()
      .db.updateTable('services')
      .set({ msisdn: number, released_at: new Date() })
      .where('id', '=', other.services[0]!.id)
      .execute()
    expect((await ask(customer, number)).status).toBe(200)
  })

  test('reports that a number is already taken along with all other field errors', async () => {
    const [customer, pack] = [await aCustomer(), await world().newSim()]
    const { body } = await customer.visitor.post(`/api/services/port/${customer.services[0]!.id}/`, {
      msisdn: pack.msisdn,
      provider: 'nobody',
    })
    expect(body).toEqual({
      msisdn: [portingMessages.taken],
      provider: [portingMessages.provider],
      billing_method: [portingMessages.billingMethod],
    })
  })
})

describe('requesting a number that is already being transferred', () => {
  test(
    'rejects a number that another customer is transferring, until that transfer has failed',
    { tags: ['slow'] },
    async () => {
      const [customer, other, step] = [await aCustomer(), await aCustomer(), await atTheStep()]
      const number = await newPortableNumber(world(), 'fails')
      expect((await ask(other, number)).status).toBe(200)
      expect(await ask(customer, number)).toEqual(taken)
      expect(await answer(step, number)).toEqual(taken)
      await world().advance('PT5H')
      await pollUntil(async () => (await statusOf(other)) === 4)
      expect((await ask(customer, number)).status).toBe(200)
      expect(await ask(other, number)).toEqual(taken)
    },
  )

  test(
    'reserves an activation’s number until it has moved, and rejects all other requests for it',
    { tags: ['slow'] },
    async () => {
      const number = await newPortableNumber(world())
      const [customer, late] = [await aCustomer(), await atTheCheckout(number)]
      const { done } = await activate(world(), { port: portForm(number) })
      expect(done.state).toBe('SUCCESSFUL')
      expect(await ask(customer, number)).toEqual(taken)
      const { status, body } = await late.pay()
      expect({ status, body }).toEqual(numberTaken)
      expect(await late.look()).toMatchObject({ state: 'PAYMENT', order_code: null })
      expect(await answer(late, number)).toEqual(taken)
      await world().advance('PT5H')
      await pollUntil(async () => (await reservedBy(number)) === 0)
      expect(await answer(late, number)).toEqual(taken)
    },
  )

  test('while a payment is undecided, the number stays reserved and the buyer cannot change the transfer details', async () => {
    const number = await newPortableNumber(world())
    const [customer, late, payer] = [await aCustomer(), await atTheCheckout(number), await atTheCheckout(number)]
    expect((await payer.pay({ holder: 'HELD' })).status).toBe(202)
    const { status, body } = await late.pay()
    expect({ status, body }).toEqual(numberTaken)
    expect(await ask(customer, number)).toEqual(taken)
    expect((await answer(payer, number)).status).toBe(409)
  })

  test.each([
    ['whose card is declined', { holder: 'DECLINED' }, {}],
    ['that fails permanently', {}, { behaviour: 'fails_always' as const }],
  ])('frees the number of an order %s', async (_, payment, more) => {
    const number = await newPortableNumber(world())
    const [customer, payer] = [await aCustomer(), await atTheCheckout(number, more)]
    const { status } = await payer.pay(payment)
    if (status === 200) await payer.arriveAt('PERMANENTLY_FAILED')
    expect(await reservedBy(number)).toBe(0)
    expect((await ask(customer, number)).status).toBe(200)
  })

  test('after a declined payment, a visitor can enter the same number for a transfer again', async () => {
    const number = await newPortableNumber(world())
    const payer = await atTheCheckout(number)
    expect((await payer.pay({ holder: 'DECLINED' })).status).toBe(400)
    expect((await answer(payer, number)).status).toBe(200)
  })
})

test('an activation allows 30 attempts to enter a number for transfer, so that nobody can find out which numbers are ours', async () => {
  const [step, customer] = [await atTheStep(), await aCustomer()]
  const { msisdn } = customer.services[0]!
  for (let time = 0; time < 30; time++) expect(await answer(step, msisdn)).toEqual(taken)
  expect((await answer(step, msisdn)).status).toBe(429)
  expect((await step.visitor.post('/api/activate/port/', { msisdn })).status).toBe(429)
  expect((await answer({ visitor: world().visitor() }, msisdn)).status).toBe(409)
})
