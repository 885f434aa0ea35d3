import type { Page } from 'playwright-core'
import { systemActor } from '#kit/server/actor.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { DocumentRow } from '#features/invoices/invoices.contract.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { Service } from '#features/services/services.contract.ts'
import type { UsageDetail } from '#features/usage/usage.contract.ts'
import { portingRequestView } from '#quality/support/account.ts'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import { makeSubscriber } from '#quality/support/customer.ts'
import { renew } from '#quality/support/purchases.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { World } from '#quality/support/world.ts'
import { getButton, enter, getField, getLink, reads } from '../account.ts'
import { getCountryInputs } from '../country-inputs.ts'
import { says } from '../dashboard.ts'
import { expectHeading } from '../wizard.ts'
import { mockResponse, editResponse, cut, hold } from './page-calls.ts'
import { aYear, heavyUser, createLongEmail, buildPortForm, portingCustomer, subscriber } from './people.ts'
import { once, type Screen } from './screen.ts'
import { portScreens } from './port.screens.ts'
import { screenFromLink, openedScreen, screenByNavigation } from './screen-builders.ts'

const detailCalls = '**/api/account/usage_detail/**'
const alertCalls = '**/api/services/alerts/**'
const invoiceCalls = '**/api/account/invoices/**'

const giveBack = (world: World, orderCode: string, part?: { amountCents: number }): Promise<string> =>
  pollUntil(async () => {
    const refund = await refundOrder(world.deps, orderCode, systemActor, part)
    return refund.outcome === 'received' && refund.creditCode
  })

const refunded = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true })
  const { body } = await renew(world, customer.visitor, customer.service, { saved: true })
  const credit = await giveBack(world, body.order_code)
  const part = await giveBack(world, customer.service.orderCode, { amountCents: 500 })
  await world.db
    .updateTable('invoices')
    .set({ full_name: 'Wh'.repeat(70), email: createLongEmail() })
    .where('order_code', '=', customer.service.orderCode)
    .execute()
  return { ...customer, credit, part }
})

const document = (
  name: string,
  codeOf: (customer: Awaited<ReturnType<typeof refunded>>) => string,
  title: string,
): Screen =>
  screenFromLink(name, '/services/U/invoices/Y/', refunded, {
    link: async (customer) => `/services/${customer.service.id}/invoices/${codeOf(customer)}/`,
    act: (page) => expectHeading(page, title),
  })

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

const empty = (detail: UsageDetail): UsageDetail => ({
  ...detail,
  data_usage: detail.data_usage.map((day) => ({ ...day, value: 0 })),
  voice_usage: [],
  txt_usage: [],
})

/** The share of data expected to be used up: 80% in New Zealand, 85% in Australia. */
const maxUsed = /^8\d% used$/

const failing = (service: Service, msisdn: string, donor: string): Service => ({
  ...service,
  porting_request: portingRequestView({
    status: 4,
    msisdn,
    donor,
    reason: 'sim_number',
    reason_text: 'Its provider has a different SIM number for this number.',
  }),
})

export const serviceScreens: Screen[] = [
  openedScreen('usage, data', '/services/U/detail/', subscriber, (page) => says(page, 'used in these 7 days')),
  openedScreen('usage, calls', '/services/U/detail/', subscriber, (page) => tab(page, 'Calls')),
  openedScreen('usage, texts', '/services/U/detail/', subscriber, (page) => tab(page, 'SMS')),
  openedScreen('usage, the first week there is', '/services/U/detail/?page=4', subscriber, (page) =>
    says(page, '4 weeks earlier'),
  ),
  screenByNavigation('usage, heavy', '/services/U/detail/', subscriber, {
    prepare: (page) =>
      editResponse<UsageDetail>(page, detailCalls, (detail) => ({
        ...detail,
        data_usage: detail.data_usage.map((day, index) => ({ ...day, value: 123_456.7 * index })),
      })),
    act: (page) => says(page, 'used in these 7 days'),
  }),
  screenByNavigation('usage, nothing used', '/services/U/detail/', subscriber, {
    prepare: (page) => editResponse(page, detailCalls, empty),
    act: (page) => says(page, 'No data used in these 7 days.'),
  }),
  screenByNavigation('usage, no calls', '/services/U/detail/', subscriber, {
    prepare: (page) => editResponse(page, detailCalls, empty),
    act: (page) => tab(page, 'Calls'),
  }),
  screenByNavigation('usage on its way', '/services/U/detail/', subscriber, {
    prepare: (page) => hold(page, detailCalls),
  }),
  screenByNavigation('usage that cannot be had', '/services/U/detail/', subscriber, {
    prepare: (page) => mockResponse(page, detailCalls, 424),
    act: (page) => says(page, 'Unfortunately, your usage detail is not available'),
  }),

  openedScreen('alerts', '/services/U/alerts/', subscriber),
  openedScreen(
    'alerts of a plan that renews',
    '/services/U/alerts/',
    async ({ world }) => {
      const customer = await makeSubscriber(world, { card: true })
      await setAutoRenewal({ customer, service: customer.service }, 'PUT')
      return customer
    },
    async (page) => {
      await page.getByRole('switch', { name: '50% used' }).check()
      await page.getByRole('switch', { name: 'Before my plan ends' }).uncheck()
    },
  ),
  openedScreen(
    'alerts, saved',
    '/services/U/alerts/',
    ({ world }) => makeSubscriber(world),
    async (page) => {
      await page.getByRole('switch', { name: maxUsed }).uncheck()
      await getButton(page, 'SAVE').click()
      await reads(page, 'Your alert settings are saved.')
    },
  ),
  openedScreen(
    'alerts that could not be saved',
    '/services/U/alerts/',
    ({ world }) => makeSubscriber(world),
    async (page) => {
      await cut(page, alertCalls)
      await page.getByRole('switch', { name: maxUsed }).uncheck()
      await getButton(page, 'SAVE').click()
      await page.getByRole('alert').first().waitFor()
    },
  ),
  openedScreen('number', '/services/U/number/', heavyUser),
  openedScreen('number, a name that is not taken', '/services/U/number/', subscriber, async (page) => {
    await enter(page, 'Name for this number', 'a\u3164b')
    await reads(page, 'Please use letters, numbers and visible symbols only.')
  }),
  openedScreen('number, password for the PUK', '/services/U/number/', subscriber, (page) =>
    getButton(page, 'Show PUK').click(),
  ),
  openedScreen('number, PUK', '/services/U/number/', subscriber, async (page, { password }) => {
    await getButton(page, 'Show PUK').click()
    await getField(page, 'Current password').fill(password)
    await getButton(page, 'Show PUK').click()
    await says(page, 'Your PUK is')
  }),
  openedScreen('history', '/services/U/history/', aYear, (page) => says(page, 'in the last 12 months')),
  openedScreen('history, no cycle yet', '/services/U/history/', subscriber, (page) =>
    says(page, 'No data cycle has ended yet.'),
  ),
  screenByNavigation('history that did not load', '/services/U/history/', aYear, {
    prepare: (page) => mockResponse(page, '**/api/account/usage_history/**', 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),
  openedScreen('usage, with advice', '/services/U/detail/', aYear, (page) =>
    says(page, 'would have been enough each time'),
  ),
  openedScreen('renewal, with advice', '/services/renew/R/', aYear, (page) =>
    says(page, 'would have been enough each time'),
  ),

  openedScreen('invoices', '/services/U/invoices/', refunded, (page) => says(page, 'VIEW REFUND')),
  screenByNavigation('invoices, many', '/services/U/invoices/', refunded, {
    prepare: (page) =>
      editResponse<DocumentRow[]>(page, invoiceCalls, (purchases) =>
        Array.from({ length: 60 }, (_, index) => ({
          ...purchases[index % purchases.length]!,
          order_code: `FT${String(index).padStart(10, '0')}`,
          total_price: '1234.56',
          title: 'Welcome 100 GB Prepay Plan for everybody',
          paid_with: 'American Express ending 0002',
          auto: true,
        })),
      ),
  }),
  screenByNavigation('invoices, none', '/services/U/invoices/', subscriber, {
    prepare: (page) => mockResponse(page, invoiceCalls, 200, []),
    act: (page) => says(page, 'You haven’t bought anything'),
  }),
  screenByNavigation('invoices that did not load', '/services/U/invoices/', subscriber, {
    prepare: (page) => mockResponse(page, invoiceCalls, 500),
    act: (page) => page.getByRole('button', { name: /try again/i }).waitFor(),
  }),
  document('invoice', ({ service }) => service.orderCode, 'Tax Invoice'),
  document('credit note', ({ credit }) => credit, 'Tax Credit Note'),
  document('credit note of a part', ({ part }) => part, 'Tax Credit Note'),
  { ...document('invoice on paper', ({ service }) => service.orderCode, 'Tax Invoice'), print: true },
  {
    ...openedScreen('invoice that did not load', '/services/U/invoices/', refunded, async (page) => {
      await mockResponse(page, invoiceCalls, 500)
      await getLink(page.getByRole('row').last(), /^VIEW/).click()
      await page.getByRole('button', { name: /try again/i }).waitFor()
    }),
    at: '/services/U/invoices/Y/',
  },

  openedScreen('port', '/services/U/port/', subscriber),
  openedScreen('port without answers', '/services/U/port/', heavyUser, async (page) => {
    await getButton(page, 'Port Number').click()
    await reads(page, 'You must provide an Existing Prepay SIM Number')
  }),
  openedScreen('port, prepay', '/services/U/port/', subscriber, async (page) => {
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await enter(page, 'Existing Prepay SIM Number', '123456')
    await reads(page, 'Please enter a valid Prepay SIM Number')
  }),
  openedScreen('port, account', '/services/U/port/', subscriber, async (page) => {
    await page.getByRole('radio', { name: 'Account' }).check()
    await enter(page, 'Existing Account Number', '')
  }),
  openedScreen('port, no network', '/services/U/port/', subscriber, async (page, _, { world }) => {
    const { msisdn, provider, prepaid_sim_number = '' } = buildPortForm(world)
    await cut(page, '**/api/services/port/**')
    await getField(page, 'Phone Number you want to bring').fill(formatNational(msisdn))
    await getField(page, 'Current provider').selectOption(provider)
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await getField(page, 'Existing Prepay SIM Number').fill(prepaid_sim_number)
    await getButton(page, 'Port Number').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  screenByNavigation('port, the last one failed', '/services/U/port/', portingCustomer, {
    prepare: async (page, _, { world }) => {
      const port = buildPortForm(world)
      const donor = getCountryInputs(world).donor
      await editResponse<Record<string, Service>>(page, '**/api/services/', (services) =>
        Object.fromEntries(
          Object.entries(services).map(([uuid, service]) => [uuid, failing(service, port.msisdn, donor)]),
        ),
      )
      await mockResponse(page, '**/api/services/port/*/', 200, {
        ...port,
        msisdn: formatNational(port.msisdn),
        account_number: '',
      })
    },
    act: (page, _, { world }) => reads(page, `match the records at ${getCountryInputs(world).donor}`),
  }),
  openedScreen('port, asked for already', '/services/U/port/', portingCustomer, (page) =>
    expectHeading(page, /^Bringing/),
  ),
  ...portScreens,
  openedScreen('port submitted', '/services/U/port/success/', portingCustomer),
]
