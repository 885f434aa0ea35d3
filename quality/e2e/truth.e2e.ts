import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  advanceClockTo,
  readCharges,
  createRenewingCustomer,
  readEmails,
  type RenewingCustomer,
  readCustomerService,
  zone,
} from '#quality/support/auto-renewal.ts'
import { failGateway } from '#quality/support/simulators.ts'
import type { Service } from '#features/services/services.contract.ts'
import { says } from './dashboard.ts'
import { openPageAsCustomer } from './account.ts'
import { usePortal } from './use-portal.ts'
import { type Day, findFalseStatements, type Life } from './statement-checks.ts'

const portal = usePortal()
const world = () => portal.world()
const now = () => world().deps.clock.now().toZonedDateTimeISO(zone)
const days = 100

beforeAll(() => advanceClockTo(world(), now().add({ days: 1 }).withPlainTime({ hour: 10 })))

async function lookAt({ customer, service }: RenewingCustomer): Promise<Day> {
  const listed = (await customer.visitor.get('/api/services/')).body as Record<string, Service>
  const outlook = listed[service.id]?.outlook ?? null
  const orders = await world()
    .db.selectFrom('orders')
    .select(['order_code'])
    .where('service_id', '=', service.id)
    .execute()
  const isTheirs = (reference: string) => orders.some(({ order_code }) => reference.startsWith(`${order_code}-`))
  const { gateway, network } = await world().ledgers()
  return {
    day: now().toPlainDate(),
    outlook,
    captured: gateway.filter(({ reference }) => isTheirs(reference)).reduce((sum, { captured }) => sum + captured, 0),
    plans: network.filter(
      ({ external_id, action, state }) => isTheirs(external_id) && action === 'add_plan' && state === 'completed',
    ).length,
    isWorking: outlook !== null && (await isWorking({ customer, service })),
  }
}

async function isWorking({ customer, service }: Pick<RenewingCustomer, 'customer' | 'service'>): Promise<boolean> {
  const { status, body } = await customer.visitor.get(`/api/account/usage_summary/${service.id}/`)
  if (status !== 200) throw new Error(`the usage answered ${status}`)
  return !body.is_expired
}

async function expectOnPage(page: Page, { service }: RenewingCustomer, { title, text }: NonNullable<Day['outlook']>) {
  await page.goto(`/services/${service.id}/`)
  await says(page.getByRole('region', { name: title }), title, ...text.replaceAll('**', '').split('\n'))
}

async function lifeOf(person: RenewingCustomer, lived: Day[]): Promise<Life> {
  const texts = (await world().smsTo(person.service.msisdn)).map(({ text, sent_at }) => ({ text, sent_at }))
  const charges = (await readCharges(world(), person)).map(({ amount_cents, created_at, state }) => ({
    cents: amount_cents,
    at: Temporal.Instant.fromEpochMilliseconds(created_at.getTime()).toZonedDateTimeISO(zone),
    isPaid: state === 'completed',
  }))
  const mails = (await readEmails(world(), person)).map(({ subject, text, at }) => ({
    subject,
    text,
    at: Temporal.PlainDateTime.from(at),
  }))
  const sent = texts.map(({ text, sent_at }) => ({
    subject: '',
    text,
    at: Temporal.Instant.from(sent_at).toZonedDateTimeISO(zone).toPlainDateTime(),
  }))
  return { days: lived, charges, messages: [...mails, ...sent] }
}

test(
  'over a hundred days, with and without auto-renewal, the customer is never told anything false',
  { timeout: 600_000 },
  async () => {
    const plan = 'plan-30-5gb'
    const without = await createRenewingCustomer(world(), { plan, enabled: false })
    const renewing = await createRenewingCustomer(world(), { plan })
    const people = [without, renewing]
    const pages = [
      await openPageAsCustomer(portal, 'phone', without.customer),
      await openPageAsCustomer(portal, 'desktop', renewing.customer),
    ]
    const lives: Day[][] = [[], []]
    const begin = now().toPlainDate()

    for (let passed = 1; passed <= days; passed++) {
      const noon = begin.add({ days: passed }).toZonedDateTime({ timeZone: zone, plainTime: '12:00' })
      // Decline the second auto-renewal charge once, so that Fantail retries the card on the same day.
      if (noon.toPlainDate().equals(renewing.expiry.add({ days: 29 }).toPlainDate()))
        await failGateway(world(), { operation: 'authorise', kind: 'refuse', times: 1 })
      await advanceClockTo(world(), noon)
      for (const [at, person] of people.entries()) {
        const day = await lookAt(person)
        const before = lives[at]!.at(-1)?.outlook
        if (day.outlook && day.outlook.text !== before?.text) await expectOnPage(pages[at]!, person, day.outlook)
        lives[at]!.push(day)
      }
    }

    const [alone, renewed] = [await lifeOf(without, lives[0]!), await lifeOf(renewing, lives[1]!)]
    expect(findFalseStatements(alone)).toEqual([])
    expect(findFalseStatements(renewed)).toEqual([])
    const states = (life: Life) => [...new Set(life.days.map(({ outlook }) => outlook?.state ?? 'gone'))]
    expect(states(alone)).toEqual(['ends', 'ends_soon', 'last_day', 'expired', 'gone'])
    expect(states(renewed)).toEqual(expect.arrayContaining(['renews', 'next_plan_paid', 'charge_failed']))
    expect(renewed.charges.map(({ isPaid }) => isPaid)).toEqual([true, false, true, true])
    expect((await readCustomerService(renewing)).is_expired).toBe(false)
  },
)
