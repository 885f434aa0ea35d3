import { expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { zone } from '#quality/support/auto-renewal.ts'
import { logInAs, makeSubscriber } from '#quality/support/customer.ts'
import { loseResponseTo } from '#quality/support/lost-response.ts'
import { buyAddOn, renew, resumeOrder } from '#quality/support/purchases.ts'
import { setWebhookMode } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()

const someone = (wishes?: Parameters<typeof makeSubscriber>[1]) =>
  makeSubscriber(world(), { plan: 'plan-7-500mb', card: true, ...wishes })
const today = () => world().deps.clock.now().toZonedDateTimeISO(zone).toPlainDate()
const midnightIn = (days: number): string => today().add({ days }).toZonedDateTime(zone).toInstant().toString()
const visa = { card_type: 'visa', last_four: '1111' }

test("the order endpoint returns a renewal's product, dates, price and payment", async () => {
  const { visitor, service } = await someone()
  const { body } = await renew(world(), visitor, service, { saved: true })
  const read = await visitor.get(`/api/orders/${body.order_code}/`)
  expect({ status: read.status, body: read.body }).toEqual({
    status: 200,
    body: {
      order_code: body.order_code,
      kind: 'recharge',
      uuid: service.id,
      phone_number: formatNational(service.msisdn),
      product: { title: '15 GB Prepay Plan', length: 30, data_gb: 15, voice_mins: 0, txt_sms: 0 },
      addon_ids: [],
      starts_on: midnightIn(0),
      expiry_date: midnightIn(30),
      total_price: '36.00',
      tax: '4.70',
      card: visa,
      by_voucher: false,
      instead_of: null,
    },
  })
})

test('for a renewal that starts when the current plan ends, the order endpoint returns that later start', async () => {
  const { visitor, service } = await someone()
  const { body } = await renew(world(), visitor, service, { saved: false, body: { starts: 'at_end' } })
  const bought = { starts_on: midnightIn(7), expiry_date: midnightIn(37), card: visa }
  expect((await visitor.get(`/api/orders/${body.order_code}/`)).body).toMatchObject(bought)
})

test('for a renewal paid for with a voucher, the order endpoint returns a price of zero and no card', async () => {
  const { visitor, service } = await someone()
  const { body } = await renew(world(), visitor, service, { voucher: await world().newVoucher('plan-30-15gb') })
  expect((await visitor.get(`/api/orders/${body.order_code}/`)).body).toMatchObject({
    total_price: '0.00',
    tax: '0.00',
    card: null,
    by_voucher: true,
    instead_of: null,
  })
})

test('the order endpoint returns activations and add-ons in the same format as renewals', async () => {
  const { visitor, service } = await someone()
  const { body } = await buyAddOn(world(), visitor, service, { saved: true })
  const addOn = (await visitor.get(`/api/orders/${body.order_code}/`)).body
  expect(addOn).toMatchObject({
    kind: 'addon',
    product: { title: 'Extra 2 GB', length: 30, data_gb: 2, voice_mins: 0, txt_sms: 0 },
    addon_ids: [`${body.order_code}-addon-1`, 'FT-EXTRA-2GB'],
    expiry_date: midnightIn(30),
    total_price: '10.00',
  })
  const { addons } = (await visitor.get(`/api/account/usage_summary/${service.id}/`)).body
  expect(addons).toMatchObject([{ id: addOn.addon_ids[0] }])
  expect(Date.parse(addons[0].expiry_date)).toBe(Date.parse(addOn.expiry_date))
  expect((await visitor.get(`/api/orders/${service.orderCode}/`)).body).toMatchObject({
    kind: 'activation',
    expiry_date: midnightIn(7),
  })
})

test("the order endpoint returns 404 for another customer's order and for an order that has not been delivered yet", async () => {
  await setWebhookMode(world(), { mode: 'hold' })
  const customer = await someone()
  const other = await someone()
  const { body, status } = await loseResponseTo(world(), () => renew(world(), customer.visitor, customer.service))
  expect(status).toBe(202)
  const read = (visitor = customer.visitor) => visitor.get(`/api/orders/${body.order_code}/`)
  expect(await read()).toMatchObject({ status: 404, body: { code: 'Not found.' } })
  expect((await resumeOrder(customer.visitor, body.order_code)).status).toBe(200)
  await setWebhookMode(world(), { mode: 'normal', release: true })
  expect((await read()).status).toBe(200)
  expect((await read(await logInAs(world(), customer))).status).toBe(200)
  expect(await read(other.visitor)).toMatchObject({ status: 404, body: { code: 'Not found.' } })
  expect((await read(world().visitor())).status).toBe(401)
  expect((await customer.visitor.get('/api/orders/FT0000000000/')).status).toBe(404)
})
