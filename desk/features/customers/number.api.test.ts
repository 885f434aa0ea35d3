import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import {
  advanceClockTo,
  computeChargeTimes,
  createRenewingCustomer,
  type RenewingCustomer,
  stopAutoRenewals,
} from '#quality/support/auto-renewal.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { type CustomerWithAllData, createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import {
  clearFailures,
  failGateway,
  failNetwork,
  disableAutomaticUsage,
  addSimUsage,
} from '#quality/support/simulators.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { Customer } from './customers.contract.ts'
import type { NumberView } from './number.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const staff = (email: string | null = demoStaff.support) => newStaffVisitor(world().deskUrl ?? '', email)
const at = (id: string, service: string, rest = '') => `/api/desk/customers/${id}/numbers/${service}/${rest}`
const looksAt = async (id: string) =>
  (
    await world()
      .db.selectFrom('access_log')
      .select(['act', 'subject'])
      .where('user_id', '=', id)
      .orderBy('access_log.id')
      .execute()
  ).map(({ act, subject }) => [act, subject])

async function opened(id: string, email: string = demoStaff.support): Promise<Visitor> {
  const visitor = await staff(email)
  await visitor.post(`/api/desk/customers/${id}/open/`, { reason: 'call' })
  return visitor
}
async function numberShown(visitor: Visitor, id: string, service: string): Promise<NumberView> {
  const { status, body } = await visitor.get(at(id, service))
  expect(status).toBe(200)
  return body.number
}

describe('opening a phone number’s page', () => {
  test('a phone number’s page needs a reason for opening the customer’s record, and viewing it is recorded', async () => {
    const { id, service } = await makeSubscriber(world(), { first_name: 'Ana', last_name: 'Tamihana' })
    const hine = await staff()
    const closed = { name: 'Ana Ta•••••', opened: null, number: null }
    expect((await hine.get(at(id, service.id))).body).toEqual(closed)
    expect((await hine.get(at(id, 'none'))).body).toEqual(closed)
    expect((await hine.get(at(id, service.id, 'days/'))).status).toBe(403)
    expect((await hine.post(at(id, service.id, 'show-sim/'))).status).toBe(403)
    expect(await looksAt(id)).toEqual([])

    await hine.post(`/api/desk/customers/${id}/open/`, { reason: 'call' })
    expect((await hine.get(at(id, service.id))).body).toMatchObject({
      name: 'Ana Tamihana',
      opened: { why: 'A call' },
      number: { id: service.id, state: 'active' },
    })
    expect(await looksAt(id)).toEqual([
      ['customer_opened', null],
      ['number_seen', service.id],
    ])
  })

  test(
    'a request for a different customer’s phone number gets 404 and is not recorded as a view',
    { tags: ['slow'] },
    async () => {
      const { id } = await makeCustomer(world())
      const { service: others } = await makeSubscriber(world())
      const hine = await opened(id)
      for (const none of [others.id, crypto.randomUUID(), 'x', '%27']) {
        expect((await hine.get(at(id, none))).status).toBe(404)
        expect((await hine.get(at(id, none, 'days/'))).status).toBe(404)
        expect((await hine.post(at(id, none, 'show-sim/'))).status).toBe(404)
      }
      expect(await looksAt(id)).toEqual([['customer_opened', null]])
    },
  )

  test('admins and anonymous visitors cannot open a phone number’s page, and an unknown customer id gets 404', async () => {
    const { id, service } = await makeSubscriber(world())
    const jo = await staff(demoStaff.admin)
    expect((await jo.get(at(id, service.id))).status).toBe(403)
    expect((await jo.get(at(id, service.id, 'days/'))).status).toBe(403)
    expect((await jo.post(at(id, service.id, 'show-sim/'))).status).toBe(403)
    expect((await (await staff(null)).get(at(id, service.id))).status).toBe(401)
    expect((await (await staff()).get(at(crypto.randomUUID(), service.id))).status).toBe(404)
  })
})

describe('a phone number’s page at the desk', () => {
  let all: CustomerWithAllData
  beforeAll(async () => {
    all = await createCustomerWithAllData(world())
  })

  test('a phone number’s page shows the plan and its end date, the next charge, the SIM, number transfers and orders', async () => {
    const number = await numberShown(await opened(all.id), all.id, all.service.id)
    expect(number).toEqual({
      id: all.service.id,
      number: formatNational(all.ported),
      name: null,
      state: 'active',
      since: expect.any(String),
      released: null,
      plan: { title: '5 GB Prepay Plan', length: 30, starts: expect.any(String), ends: expect.any(String) },
      goes_back: expect.any(String),
      next_plan: null,
      renewal: {
        is_on: true,
        is_charging: false,
        trouble: null,
        tries: [],
        next: {
          at: expect.any(String),
          amount: '21.00',
          plan: '5 GB Prepay Plan',
          card: 'Visa •••• 1111',
          again: [expect.any(String), expect.any(String)],
        },
      },
      sim: { masked: `•••• ${all.service.sim.iccid.slice(-4)}`, since: expect.any(String) },
      ports: [
        {
          reference: `${all.service.id}-port-1`,
          words: expect.stringContaining(`${formatNational(all.ported)} from `),
          at: expect.any(String),
          has_moved: true,
        },
      ],
      orders: [
        {
          code: all.service.orderCode,
          what: 'Activation by card',
          said: 'Completed',
          tone: 'good',
          title: '5 GB Prepay Plan',
          at: expect.any(String),
          amount: '22.00',
        },
      ],
    })
    expect(Date.parse(number.goes_back ?? '')).toBeGreaterThan(Date.parse(number.plan?.ends ?? ''))
    expect(Date.parse(number.renewal?.next?.at ?? '')).toBeLessThan(Date.parse(number.plan?.ends ?? ''))
  })

  test('if the next plan is paid for, the phone number’s page shows that plan and no release date', async () => {
    const number = await numberShown(await opened(all.id), all.id, all.second.id)
    expect(number).toMatchObject({
      state: 'active',
      goes_back: null,
      next_plan: { title: '15 GB Prepay Plan', length: 30, paid_with: 'card', order_code: number.orders[0]?.code },
      renewal: { is_on: false, trouble: null, next: null },
      ports: [],
    })
    expect(number.orders.map(({ what }) => what)).toEqual(['Renewal by card', 'Activation by card'])
  })

  test('finance staff see a phone number’s page without number transfers', async () => {
    const mere = await opened(all.id, demoStaff.lead)
    expect(await numberShown(mere, all.id, all.service.id)).toMatchObject({ ports: null, renewal: { is_on: true } })
  })

  test('revealing a full SIM number is recorded and appears in the customer’s history', async () => {
    const hine = await opened(all.id)
    const before = (await looksAt(all.id)).length
    expect((await hine.post(at(all.id, all.service.id, 'show-sim/'))).body).toEqual({ iccid: all.service.sim.iccid })
    expect((await looksAt(all.id)).slice(before)).toEqual([['sim_shown', all.service.id]])
    const { customer } = (await hine.get(`/api/desk/customers/${all.id}/`)).body as { customer: Customer }
    expect(customer.looked[0]).toMatchObject({ name: 'Hine Walker', what: 'SIM number shown' })
    expect(customer.happened.rows.map(({ title }) => title)).toContain('SIM number shown')
  })

  test('revealing a SIM number ten times without any other action raises an access alert', async () => {
    const tom = await opened(all.id, demoStaff.second)
    const alarms = () =>
      world()
        .db.selectFrom('operator_tasks')
        .select('reason')
        .where('kind', '=', 'alarm-shown')
        .where('reason', 'like', 'Tom Reid %')
        .execute()
    for (let time = 0; time < 9; time += 1) await tom.post(at(all.id, all.second.id, 'show-sim/'))
    expect(await alarms()).toEqual([])
    await tom.post(at(all.id, all.second.id, 'show-sim/'))
    expect(await alarms()).toHaveLength(1)
  })

  test('a released phone number’s page shows when it was released, but neither renewal nor usage', async () => {
    const { id, service } = await makeSubscriber(world())
    await world().db.updateTable('services').set({ released_at: new Date() }).where('id', '=', service.id).execute()
    const hine = await opened(id)
    expect(await numberShown(hine, id, service.id)).toMatchObject({
      state: 'released',
      released: expect.any(String),
      goes_back: null,
      renewal: null,
    })
    expect((await hine.get(at(id, service.id, 'days/'))).status).toBe(404)
  })
})

describe('a phone number’s usage at the desk', () => {
  test('daily usage at the desk matches the customer’s own page and does not reveal whom the customer calls', async () => {
    const { id, visitor, service } = await makeSubscriber(world())
    const { iccid } = service.sim
    await disableAutomaticUsage(world(), { iccid, msisdn: service.msisdn })
    await addSimUsage(world(), { iccid, type: 'data', amount: 350 })
    await addSimUsage(world(), { iccid, type: 'voice', amount: 90, destination: '+6421999888' })
    await addSimUsage(world(), { iccid, type: 'sms', amount: 1, destination: '+6421999888' })
    const hine = await opened(id)
    const { status, body } = await hine.get(at(id, service.id, 'days/'))
    expect(status).toBe(200)
    const own = (await visitor.get(`/api/account/usage_detail/${service.id}/`)).body
    expect(body.days.map(({ day, megabytes }: { day: string; megabytes: number }) => [day, megabytes])).toEqual(
      own.data_usage.map(({ date, value }: { date: string; value: number }) => [date, value]),
    )
    expect(body.days.at(-1)).toEqual({ day: own.end_date, megabytes: 350, call_seconds: 90, texts: 1 })
    expect(JSON.stringify(body)).not.toContain('999888')
    expect((await hine.get(at(id, service.id, 'days/?week=4'))).body.days).toHaveLength(7)
    expect((await hine.get(at(id, service.id, 'days/?week=5'))).status).toBe(400)
  })

  test('requests for daily usage at the desk get 424 while the network is unreachable', async () => {
    const { id, service } = await makeSubscriber(world())
    const hine = await opened(id)
    await failNetwork(world(), { operation: 'usage', kind: 'error_500' })
    expect((await hine.get(at(id, service.id, 'days/'))).status).toBe(424)
    await clearFailures(world())
    expect((await hine.get(at(id, service.id, 'days/'))).status).toBe(200)
  })

  test('usage at the desk lists the active add-ons and how much is left of each', { tags: ['slow'] }, async () => {
    const { id, visitor, service } = await makeSubscriber(world())
    expect((await buyAddOn(world(), visitor, service, { product: 'extra-2gb' })).status).toBe(200)
    const { body } = await (await opened(id)).get(at(id, service.id, 'use/'))
    expect(body.add_ons).toEqual([
      {
        id: expect.any(String),
        name: 'Extra 2 GB',
        ends: expect.any(String),
        is_for_roaming: false,
        left: [{ name: 'Data', amount: 2, total: 2, unit: 'GB' }],
      },
    ])
  })
})

describe('totals of the last 90 days’ payments on a customer’s page', () => {
  const headOf = async (id: string): Promise<Customer> =>
    (await (await opened(id)).get(`/api/desk/customers/${id}/`)).body.customer

  test('a customer’s page totals the card payments and refunds from the last 90 days', { tags: ['slow'] }, async () => {
    const { id, service } = await makeSubscriber(world(), { card: true })
    expect((await headOf(id)).money).toEqual({ paid: '22.00', given: '0.00' })
    const hine = await staff()
    const refund = { amount: '5.00', left: '22.00', reason: 'outage', note: '' }
    expect((await hine.post(`/api/desk/orders/${service.orderCode}/refund/`, refund)).status).toBe(200)
    expect((await headOf(id)).money).toEqual({ paid: '22.00', given: '5.00' })
    const long = new Date(Date.now() - 91 * 86_400_000)
    await world().db.updateTable('orders').set({ completed_at: long }).where('user_id', '=', id).execute()
    expect((await headOf(id)).money).toEqual({ paid: '0.00', given: '5.00' })
  })

  test(
    'a customer’s payment total excludes voucher payments and other customers’ payments',
    { tags: ['slow'] },
    async () => {
      const { id } = await makeSubscriber(world())
      await activate(world())
      expect((await headOf(id)).money).toEqual({ paid: '0.00', given: '0.00' })
    },
  )
})

describe('auto-renewal after refused payments', () => {
  let renewing: RenewingCustomer
  beforeAll(async () => {
    await stopAutoRenewals(world())
    renewing = await createRenewingCustomer(world())
    await failGateway(world(), { operation: 'authorise', kind: 'refuse_balance', times: 3 })
    await advanceClockTo(world(), computeChargeTimes(renewing)[1]!.add({ minutes: 1 }))
  })
  const seen = async () => {
    const { customer, service } = renewing
    const hine = await opened(customer.id)
    const { numbers } = (await hine.get(`/api/desk/customers/${customer.id}/`)).body.customer as Customer
    return { number: await numberShown(hine, customer.id, service.id), failed: numbers[0]?.renewal_failed }
  }

  test('if auto-renewal is failing, the phone number’s page shows each attempt, the bank’s reason and the next attempt', async () => {
    const { number, failed } = await seen()
    expect(failed).toBe(true)
    expect(number.renewal).toMatchObject({
      is_on: true,
      trouble: expect.stringContaining('Not enough funds on'),
      next: { amount: number.renewal?.tries[0]?.amount, again: [] },
    })
    const tried = { what: 'Auto-renewal by card', said: 'Refused: Not enough balance', tone: 'bad' }
    expect(number.renewal?.tries).toMatchObject([tried, tried])
    expect(Date.parse(number.renewal?.next?.at ?? '')).toBe(computeChargeTimes(renewing)[2]?.epochMilliseconds)
  })

  test(
    'auto-renewal is switched off after the third refused payment, and the number’s page still shows why',
    { tags: ['slow'] },
    async () => {
      await advanceClockTo(world(), computeChargeTimes(renewing)[2]!.add({ minutes: 1 }))
      const { number, failed } = await seen()
      expect(failed).toBe(true)
      expect(number.renewal).toMatchObject({ is_on: false, next: null, trouble: expect.stringContaining('Not enough') })
      expect(number.renewal?.tries).toHaveLength(3)
      await clearFailures(world())
    },
  )

  test('the phone number’s page shows no problem if the auto-renewal charge succeeds', { tags: ['slow'] }, async () => {
    await clearFailures(world())
    await stopAutoRenewals(world())
    renewing = await createRenewingCustomer(world())
    await advanceClockTo(world(), computeChargeTimes(renewing)[0].add({ minutes: 1 }))
    const { number, failed } = await seen()
    expect(failed).toBe(false)
    expect(number).toMatchObject({ next_plan: { paid_with: 'card' }, renewal: { is_on: true, trouble: null } })
  })
})
