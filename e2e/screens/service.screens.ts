import type { Page } from 'playwright-core'
import type { Purchase } from '#features/invoices/invoices.contract.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import type { UsageDetail } from '#features/usage/usage.contract.ts'
import { makeSubscriber, type Subscriber } from '#testing/customer.ts'
import { renew } from '#testing/purchases.ts'
import { button, enter, labelled, link, reads } from '../account.ts'
import { says } from '../dashboard.ts'
import { heading } from '../wizard.ts'
import { answer, change, cut, go, hold, settle } from './calls.ts'
import { heavyUser, longEmail, porting, subscriber } from './people.ts'
import { once, type Screen, type Stage } from './screen.ts'

const detailCalls = '**/api/account/usage_detail/**'
const invoiceCalls = '**/api/account/invoices/**'

type Who = (stage: Stage) => Promise<Subscriber>

/** A page below somebody's service. */
const of = (name: string, part: string, who: Who, then?: (page: Page, customer: Subscriber) => Promise<unknown>): Screen => ({
  name,
  at: `/services/X/${part}`,
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.visit(`/services/${customer.service.id}/${part}`, customer)
    await then?.(page, customer)
    return page
  },
})

/** The same, from another page: then what is answered can be something else. */
const reached = (name: string, part: string, who: Who, meddle: (page: Page) => Promise<unknown>, then?: (page: Page) => Promise<unknown>): Screen => ({
  name,
  at: `/services/X/${part}`,
  async open(stage) {
    const customer = await who(stage)
    const page = await stage.visit('/account/change-password/', customer)
    await meddle(page)
    await go(page, `/services/${customer.service.id}/${part}`)
    await settle(page)
    await then?.(page)
    return page
  },
})

/** One purchase and its refund, whose buyer's name and address are as long as they may be. */
const refunded = once(async (world) => {
  const customer = await makeSubscriber(world, { card: true })
  const { body } = await renew(world, customer.visitor, customer.service, { saved: true })
  const refund = await refundOrder(world.deps, body.order_code)
  await world.db.updateTable('invoices').set({ full_name: 'Wh'.repeat(70), email: longEmail() }).where('order_code', '=', customer.service.orderCode).execute()
  return { ...customer, credit: refund.outcome === 'received' ? refund.creditCode : '' }
})

const document = (name: string, codeOf: (customer: Awaited<ReturnType<typeof refunded>>) => string, title: string, print?: true): Screen => ({
  name,
  at: '/services/X/invoices/Y/',
  ...(print && { print }),
  async open(stage) {
    const customer = await refunded(stage)
    const page = await stage.visit(`/services/${customer.service.id}/invoices/${codeOf(customer)}/`, customer)
    await heading(page, title)
    return page
  },
})

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

const empty = (detail: UsageDetail): UsageDetail => ({ ...detail, data_usage: detail.data_usage.map((day) => ({ ...day, value: 0 })), voice_usage: [], txt_usage: [] })

/** What can be looked up and asked for on the pages of a service. */
export const serviceScreens: Screen[] = [
  of('usage, data', 'detail/', subscriber, (page) => says(page, 'used in these 7 days')),
  of('usage, calls', 'detail/', subscriber, (page) => tab(page, 'Calls')),
  of('usage, texts', 'detail/', subscriber, (page) => tab(page, 'SMS')),
  of('usage, the first week there is', 'detail/?page=4', subscriber, (page) => says(page, '4 weeks earlier')),
  reached('usage, heavy', 'detail/', subscriber, (page) =>
    change<UsageDetail>(page, detailCalls, (detail) => ({ ...detail, data_usage: detail.data_usage.map((day, index) => ({ ...day, value: 123_456.7 * index })) })), (page) => says(page, 'used in these 7 days')),
  reached('usage, nothing used', 'detail/', subscriber, (page) => change(page, detailCalls, empty), (page) => says(page, 'No data used in these 7 days.')),
  reached('usage, no calls', 'detail/', subscriber, (page) => change(page, detailCalls, empty), (page) => tab(page, 'Calls')),
  reached('usage on its way', 'detail/', subscriber, (page) => hold(page, detailCalls)),
  reached('usage that cannot be had', 'detail/', subscriber, (page) => answer(page, detailCalls, 424), (page) => says(page, 'Unfortunately, your usage detail is not available')),

  of('invoices', 'invoices/', refunded, (page) => says(page, 'VIEW REFUND')),
  reached('invoices, many', 'invoices/', refunded, (page) =>
    change<Purchase[]>(page, invoiceCalls, (purchases) => Array.from({ length: 60 }, (_, index) => ({ ...purchases[index % purchases.length]!, order_code: `FT${String(index).padStart(10, '0')}`, total_price: '1234.56' })))),
  reached('invoices, none', 'invoices/', subscriber, (page) => answer(page, invoiceCalls, 200, []), (page) => says(page, 'Nothing has been bought')),
  reached('invoices that did not load', 'invoices/', subscriber, (page) => answer(page, invoiceCalls, 500), (page) => page.getByRole('button', { name: /try again/i }).waitFor()),
  document('invoice', ({ service }) => service.orderCode, 'Tax Invoice'),
  document('credit note', ({ credit }) => credit, 'Tax Credit Note'),
  document('invoice on paper', ({ service }) => service.orderCode, 'Tax Invoice', true),
  {
    name: 'invoice that did not load',
    at: '/services/X/invoices/Y/',
    async open(stage) {
      const customer = await refunded(stage)
      const page = await stage.visit(`/services/${customer.service.id}/invoices/`, customer)
      await answer(page, `${invoiceCalls}`, 500)
      await link(page.getByRole('row').last(), /^VIEW/).click()
      await page.getByRole('button', { name: /try again/i }).waitFor()
      return page
    },
  },

  of('port', 'port/', subscriber),
  of('port without answers', 'port/', heavyUser, async (page) => {
    await button(page, 'Port Number').click()
    await reads(page, 'You must provide an Existing Prepay SIM Number')
  }),
  of('port, prepay', 'port/', subscriber, async (page) => {
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await enter(page, 'Existing Prepay SIM Number', '896405')
    await reads(page, 'Please enter a valid Prepay SIM Number')
  }),
  of('port, account', 'port/', subscriber, async (page) => {
    await page.getByRole('radio', { name: 'Account' }).check()
    await enter(page, 'Existing Account Number', '')
  }),
  of('port, no network', 'port/', subscriber, async (page) => {
    await cut(page, '**/api/services/port/**')
    await labelled(page, 'Phone Number you want to bring').fill('027 555 0111')
    await labelled(page, 'Current provider').selectOption({ label: 'Skinny' })
    await page.getByRole('radio', { name: 'Prepay' }).check()
    await labelled(page, 'Existing Prepay SIM Number').fill('8964050123456789012')
    await button(page, 'Port Number').click()
    await reads(page, 'Sorry, there was an unexpected error.')
  }),
  of('port, asked for already', 'port/', porting, (page) => link(page, 'Back to your service').waitFor()),
  of('port submitted', 'port/success/', porting),
]
