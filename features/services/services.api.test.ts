import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { transact } from '#kit/server/db.ts'
import { insertPort } from '#features/porting/server/porting.store.ts'
import { copyService } from '#quality/support/copied-services.ts'
import { type Customer, logInAs, makeCustomer } from '#quality/support/customer.ts'
import { activate, password, portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { presentServices } from './server/services.present.ts'
import type { Service } from './services.contract.ts'

const world = useWorld()

const look = ({ visitor }: Pick<Customer, 'visitor'>) => visitor.get('/api/services/')
const servicesOf = async (customer: Pick<Customer, 'visitor'>): Promise<Service[]> =>
  Object.values((await look(customer)).body)

async function aMover(behaviour: 'completes' | 'fails') {
  const number = await newPortableNumber(world(), behaviour)
  const { email, sim } = await activate(world(), { port: portForm(number) })
  await world().db.updateTable('users').set({ email_verified_at: new Date() }).where('email', '=', email).execute()
  return { visitor: await logInAs(world(), { email, password }), number, sim }
}

describe('list of services', () => {
  test('the list of services contains each service under its uuid, with every field', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    const [service] = customer.services
    if (!service) throw new Error('a service was asked for')
    const { expires_at, id } = await world()
      .db.selectFrom('schedules')
      .select(['expires_at', 'id'])
      .where('service_id', '=', service.id)
      .executeTakeFirstOrThrow()
    const lastDay = Temporal.Instant.from(expires_at.toISOString())
      .toZonedDateTimeISO('Pacific/Auckland')
      .toPlainDate()
      .add({ days: 49 })
    const { status, body, headers } = await look(customer)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        [service.id]: {
          uuid: service.id,
          msisdn: service.msisdn,
          phone_number: formatNational(service.msisdn),
          name: null,
          plan_short_id: service.shortId,
          is_expired: false,
          expiry_date: expires_at.toISOString(),
          number_kept: { days: 50, last_day: lastDay.toString() },
          porting_request: null,
          schedules: {
            [service.shortId]: {
              short_id: service.shortId,
              unique_id: id,
              auto_recharge_enabled: false,
              starts_on: world().deps.clock.now().toZonedDateTimeISO('Pacific/Auckland').toPlainDate().toString(),
              product: {
                title: '5 GB Prepay Plan',
                length: 30,
                data_gb: 5,
                colour: expect.stringMatching(/^#/),
                unique_id: 'plan-30-5gb',
                next_product_unique_id: null,
              },
              next_plan: null,
              service: service.id,
            },
          },
          outlook: {
            state: 'ends',
            tone: 'calm',
            title: `Plan expires on ${formatDate(expires_at.toISOString(), 'Pacific/Auckland')}`,
            text: expect.stringMatching(
              /^Your last day is \*\*\d\d \w{3} \d{4}\*\*\. Nothing is charged unless you renew\.$/,
            ),
            line: expect.stringMatching(/^Expires on \d+ \w{3}$/),
            badge: null,
            can_cancel_next_plan: false,
            change_next_plan: null,
            card_button: null,
            card_charge: null,
            auto_renewal_note: 'Your next plan costs **$21.00** with auto-renewal instead of **$22.00**.',
            last_day: lastDay.subtract({ days: 50 }).toString(),
            days_left: 30,
          },
        },
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('the list of services has only the customer’s own services, oldest first, and says which plan each service renews as', async () => {
    const [customer] = await Promise.all([
      makeCustomer(world(), { services: 2, plan: 'welcome-30-25gb' }),
      makeCustomer(world(), { services: 1 }),
    ])
    const services = await servicesOf(customer)
    expect(services.map(({ uuid }) => uuid)).toEqual(customer.services.map(({ id }) => id))
    const products = services.flatMap(({ schedules }) => Object.values(schedules).map(({ product }) => product))
    expect(products[0]).toMatchObject({ unique_id: 'welcome-30-25gb', next_product_unique_id: 'plan-30-25gb' })
  })

  test('the list of services is empty for a customer without services', async () =>
    expect(await look(await makeCustomer(world()))).toMatchObject({ status: 200, body: {} }))

  test('the list of services leaves out released services', async () => {
    const customer = await makeCustomer(world(), { services: 2 })
    const [first, second] = customer.services
    await world()
      .db.updateTable('services')
      .set({ released_at: new Date() })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect((await servicesOf(customer)).map(({ uuid }) => uuid)).toEqual([second?.id])
  })

  test('the list of services still shows a plan that was withdrawn from sale', async () => {
    const customer = await makeCustomer(world(), { services: 1, plan: 'plan-90-25gb' })
    await world().db.updateTable('products').set({ hidden: true }).where('unique_id', '=', 'plan-90-25gb').execute()
    const [service] = await servicesOf(customer)
    await world().db.updateTable('products').set({ hidden: false }).where('unique_id', '=', 'plan-90-25gb').execute()
    expect(Object.values(service?.schedules ?? {})[0]?.product).toMatchObject({ unique_id: 'plan-90-25gb', length: 90 })
  })

  for (const { count, times, tags } of [
    { count: 1, times: 1, tags: [] },
    { count: 3, times: 1, tags: [] },
    { count: 230, times: 3, tags: ['slow'] },
  ])
    test(
      `lists ${count} services with ${times} database queries, one for each hundred services`,
      { tags: [...tags] },
      async () => {
        const { id, services } = await makeCustomer(world(), { card: true, services: 1 })
        await copyService(world(), services[0]!.id, count - 1)
        let queries = 0
        const { db } = world().deps
        const counting = db.withPlugin({
          transformQuery: ({ node }) => node,
          async transformResult({ result }) {
            queries++
            return result
          },
        })
        expect(Object.keys(await presentServices({ ...world().deps, db: counting }, id))).toHaveLength(count)
        expect(queries).toBe(times)
      },
    )

  test('a list of 230 services is complete and in order', { tags: ['slow'] }, async () => {
    const customer = await makeCustomer(world(), { card: true, services: 1 })
    const oldest = customer.services[0]!.id
    await copyService(world(), oldest, 229)
    const { rows } = await sql<{ id: string }>`
      select id from services where user_id = ${customer.id} order by created_at, id`.execute(world().db)
    const { body, headers } = await look(customer)
    expect(Object.keys(body)).toEqual(rows.map(({ id }) => id))
    expect(Object.entries(body).every(([id, service]) => (service as Service).uuid === id)).toBe(true)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test(
    'a request can limit the list of services, set its first service and include one additional service',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { card: true, services: 1 })
      await copyService(world(), customer.services[0]!.id, 6)
      const stranger = await makeCustomer(world(), { services: 1 })
      const all = await servicesOf(customer)
      const uuids = all.map(({ uuid }) => uuid)
      const part = async (query: string) => Object.keys((await customer.visitor.get(`/api/services/?${query}`)).body)
      expect(await part('limit=3')).toEqual(uuids.slice(0, 3))
      expect(await part(`limit=3&from=${uuids[2]}`)).toEqual(uuids.slice(2, 5))
      expect(await part(`limit=2&named=${uuids[5]}`)).toEqual([uuids[0], uuids[1], uuids[5]])
      expect(await part(`limit=2&from=${uuids[4]}&named=${all[1]!.plan_short_id}`)).toEqual([
        uuids[1],
        uuids[4],
        uuids[5],
      ])
      expect(await part(`limit=0&named=${uuids[6]}`)).toEqual([uuids[6]])
      const [other] = stranger.services
      expect(await part(`limit=2&from=${other?.id}`)).toEqual(uuids.slice(0, 2))
      expect(await part(`limit=0&named=${other?.id}`)).toEqual([])
      expect(await part(`limit=0&named=${other?.shortId}`)).toEqual([])
      for (const query of ['limit=100', 'from=constructor', 'named=%27'])
        expect((await customer.visitor.get(`/api/services/?${query}`)).status).toBe(400)
    },
  )

  test('a request for the list of services gets a 401 when signed out and a 403 with an unverified email address', async () => {
    expect((await world().visitor().get('/api/services/')).status).toBe(401)
    expect((await look(await makeCustomer(world(), { verified: false }))).status).toBe(403)
  })
})

describe('a number transfer in the list of services', () => {
  test(
    'the list of services shows a number transfer while it is under way and once it has completed',
    { tags: ['slow'] },
    async () => {
      const mover = await aMover('completes')
      const [before] = await servicesOf(mover)
      expect(before).toMatchObject({
        msisdn: mover.sim.msisdn,
        porting_request: { failure_acknowledged_at: null, msisdn: mover.number },
      })
      expect([1, 2]).toContain(before?.porting_request?.status)
      await world().advance('PT4H')
      await pollUntil(async () => (await servicesOf(mover))[0]?.porting_request?.status === 3)
      expect(await servicesOf(mover)).toMatchObject([
        { uuid: before?.uuid, msisdn: mover.number, phone_number: formatNational(mover.number) },
      ])
    },
  )

  test(
    'the list of services shows a failed transfer, and whether it was acknowledged, until a new one is requested',
    { tags: ['slow'] },
    async () => {
      const mover = await aMover('fails')
      await world().advance('PT4H')
      await pollUntil(async () => (await servicesOf(mover))[0]?.porting_request?.status === 4)
      const [service] = await servicesOf(mover)
      const { db, deps } = world()
      const now = deps.clock.now()
      const seen = new Date(now.epochMilliseconds)
      const from = { donor: 'Skinny', billing_method: 1, requested_at: expect.any(String), progress: null }
      await db
        .updateTable('porting_requests')
        .set({ failure_acknowledged_at: seen })
        .where('service_id', '=', service?.uuid ?? '')
        .execute()
      expect((await servicesOf(mover))[0]?.porting_request).toEqual({
        ...from,
        status: 4,
        failure_acknowledged_at: seen.toISOString(),
        msisdn: mover.number,
        reason: 'sim_number',
        reason_text: 'Skinny has a different SIM number for this number.',
      })

      const form = {
        msisdn: mover.number,
        provider: 'skinny',
        billing_method: 'prepay',
        prepaid_sim_number: '8964050123456789012',
        account_number: '',
      } as const
      await transact(db, (trx) =>
        insertPort(
          trx,
          {
            externalId: `again-${service?.uuid}`,
            serviceId: service?.uuid ?? '',
            orderId: null,
            msisdn: mover.number,
            form,
          },
          now,
        ),
      )
      await db
        .updateTable('porting_requests')
        .set({ retry_at: null })
        .where('external_id', '=', `again-${service?.uuid}`)
        .execute()
      expect((await servicesOf(mover))[0]?.porting_request).toEqual({
        ...from,
        progress: expect.objectContaining({ step: 'sent', since: null }),
        status: 1,
        failure_acknowledged_at: null,
        msisdn: mover.number,
        reason: null,
        reason_text: '',
      })
    },
  )
})

test('a plan counts as expired from the exact instant at which it ends', async () => {
  const customer = await makeCustomer(world(), { services: 1 })
  const [service] = await servicesOf(customer)
  const { clock } = world().deps
  const end = Temporal.Instant.from(service?.expiry_date ?? '')
  const at = async (now: Temporal.Instant) =>
    Object.values(await presentServices({ ...world().deps, clock: { ...clock, now: () => now } }, customer.id))[0]
      ?.is_expired
  expect(await at(end.subtract({ milliseconds: 1 }))).toBe(false)
  expect(await at(end)).toBe(true)
  expect(await at(end.add({ hours: 24 }))).toBe(true)
})
