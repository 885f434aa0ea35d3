import { describe, expect, test } from 'vitest'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'
import { autoRenewalMessages } from './auto-renewal.contract.ts'

const world = useWorld()
const pathOf = ({ services: [service] }: Customer, schedule = service!.shortId): string =>
  `/api/services/auto_renew/${service!.id}/${schedule}/`
const send = ({ visitor }: Pick<Customer, 'visitor'>, method: 'PUT' | 'DELETE', path: string) =>
  visitor.send(method, path, { headers: { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' } })
const isEnabled = (body: { schedules: Record<string, { auto_recharge_enabled: boolean }> }): boolean[] =>
  Object.values(body.schedules).map((schedule) => schedule.auto_recharge_enabled)

describe('switching auto-renewal on and off', () => {
  test('auto-renewal is off by default, and setting it to its current state changes nothing and is not audited', async () => {
    const customer = await makeCustomer(world(), { card: true })
    const listed = Object.values((await customer.visitor.get('/api/services/')).body)[0] as Parameters<
      typeof isEnabled
    >[0]
    expect(isEnabled(listed)).toEqual([false])
    for (const [method, expected] of [
      ['PUT', true],
      ['PUT', true],
      ['DELETE', false],
      ['DELETE', false],
    ] as const) {
      const { status, body } = await send(customer, method, pathOf(customer))
      expect({ status, enabled: isEnabled(body), uuid: body.uuid }).toEqual({
        status: 200,
        enabled: [expected],
        uuid: customer.services[0]?.id,
      })
    }
    const events = await world()
      .db.selectFrom('audit_events')
      .select('event')
      .where('user_id', '=', customer.id)
      .where('event', 'like', 'auto%')
      .orderBy('id')
      .execute()
    expect(events.map(({ event }) => event)).toEqual(['auto_renewal_enabled', 'auto_renewal_disabled'])
  })

  test('shows the prices for automatic and manual renewal if they differ', async () => {
    const customer = await makeCustomer(world(), { card: true, plan: 'plan-30-15gb' })
    const { id = '' } = customer.services[0] ?? {}
    const noted = async () => (await customer.visitor.get('/api/services/')).body[id].outlook.auto_renewal_note
    expect(await noted()).toBe('Your next plan costs **$34.00** with auto-renewal instead of **$36.00**.')
    expect((await send(customer, 'PUT', pathOf(customer))).status).toBe(200)
    expect(await noted()).toContain('If you renew manually with a card, you pay **$36.00** instead of **$34.00**.')
  })

  test('auto-renewal requires a saved card, and the error links to the page where the customer can add one', async () => {
    const customer = await makeCustomer(world(), { services: 1 })
    expect(await send(customer, 'PUT', pathOf(customer))).toMatchObject({
      status: 400,
      body: {
        __all__: [
          {
            message: autoRenewalMessages.noCard,
            actions: [{ url: '/account/payment-method/', text: autoRenewalMessages.addCard }],
          },
        ],
      },
    })
  })

  test('rejects switching auto-renewal on if the saved card has expired', async () => {
    const customer = await makeCustomer(world(), { card: true })
    await world().db.updateTable('saved_cards').set({ expiry: '01/2020' }).where('user_id', '=', customer.id).execute()
    expect((await send(customer, 'PUT', pathOf(customer))).body.__all__[0].message).toBe(
      autoRenewalMessages.cardExpired,
    )
  })

  test('auto-renewal requests get a 404 for another customer’s or service’s schedule, and a 403 without a CSRF token', async () => {
    const customer = await makeCustomer(world(), { card: true })
    const other = await makeCustomer(world(), { card: true })
    for (const method of ['PUT', 'DELETE'] as const) {
      const refused = { status: 404, body: { code: 'Not found.' } }
      expect(await send(other, method, pathOf(customer))).toMatchObject(refused)
      expect(await send(customer, method, pathOf(customer, other.services[0]?.shortId))).toMatchObject(refused)
      expect(await send(customer, method, `/api/services/auto_renew/${crypto.randomUUID()}/0abc/`)).toMatchObject(
        refused,
      )
      expect((await customer.visitor.send(method, pathOf(customer))).status).toBe(403)
    }
  })

  test(
    'rejects switching auto-renewal on for an expired plan, and links to the renewal page',
    { tags: ['slow'] },
    async () => {
      const customer = await makeCustomer(world(), { card: true, plan: 'plan-7-500mb' })
      await world().advance('P8D')
      expect(await send(customer, 'PUT', pathOf(customer))).toMatchObject({
        status: 400,
        body: {
          __all__: [
            {
              message: autoRenewalMessages.expired,
              actions: [{ url: `/services/renew/${customer.services[0]?.shortId}/` }],
            },
          ],
        },
      })
    },
  )
})
