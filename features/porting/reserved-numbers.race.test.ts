import { expect, test } from 'vitest'
import { orderFailureMessages } from '#features/orders/orders.contract.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { portingMessages } from './porting.contract.ts'

const world = useWorld()
const transfersOf = (msisdn: string) =>
  world().db.selectFrom('porting_requests').selectAll().where('msisdn', '=', msisdn).execute()
const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

test('when several services and buyers request the same number at once, only one of them gets the number', async () => {
  const number = await newPortableNumber(world())
  const customers = []
  for (let one = 0; one < 3; one++) customers.push(await makeCustomer(world(), { services: 1 }))
  const payers = await times(3, async () => {
    const voucher = await world().newVoucher()
    return advanceWizardTo(world(), 'PAYMENT', { port: portForm(number), voucher })
  })
  const answers = await Promise.all([
    ...customers.map(({ visitor, services: [service] }) =>
      visitor.post(`/api/services/port/${service!.id}/`, portForm(number)),
    ),
    ...payers.map((payer) => payer.pay()),
  ])
  const [won, ...more] = answers.filter(({ status }) => status === 200)
  expect([won?.status, more]).toEqual([200, []])
  const sentences = answers.filter(({ status }) => status !== 200).map(({ body }) => Object.values(body).flat()[0])
  expect(sentences).toHaveLength(5)
  for (const sentence of sentences)
    expect([portingMessages.taken, orderFailureMessages.numberTaken]).toContain(sentence)

  await pollUntil(async () => (await transfersOf(number)).length === 1)
  await world().advance('PT5H')
  await pollUntil(async () => (await transfersOf(number))[0]?.status === 'COMPLETED')
  expect(await transfersOf(number)).toHaveLength(1)
  expect(await findFaultsWhenIdle(world())).toEqual([])
})

test('a number that another customer is transferring is rejected before, during and after the transfer’s completion', async () => {
  const number = await newPortableNumber(world())
  const [first, second] = [await makeCustomer(world(), { services: 1 }), await makeCustomer(world(), { services: 1 })]
  const ask = ({ visitor, services: [service] }: typeof first) =>
    visitor.post(`/api/services/port/${service!.id}/`, portForm(number))
  expect((await ask(first)).status).toBe(200)
  // A customer may request twenty transfers an hour, so fifteen requests do not reach that limit.
  const asks = async () => {
    const said = []
    for (let time = 0; time < 15; time++) said.push(await ask(second))
    return said
  }
  const [answers] = await Promise.all([asks(), world().advance('PT5H')])
  await pollUntil(async () => (await transfersOf(number))[0]?.status === 'COMPLETED')
  answers.push(await ask(second))
  expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
    answers.map(() => ({ status: 400, body: { msisdn: [portingMessages.taken] } })),
  )
  expect(await transfersOf(number)).toHaveLength(1)
})
