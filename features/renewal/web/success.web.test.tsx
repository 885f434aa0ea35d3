import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { usageSummary } from '#quality/support/dashboard.tsx'
import {
  testService,
  orderResponse,
  boughtOrder,
  getButton,
  getLinkHref,
  servicesById,
  openAsCustomer,
  findPageTitle,
  readOrderEndpoint,
  shortId,
  uuid,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls } from '#quality/support/checkout.ts'
import { type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { dashboardPages } from '#features/dashboard/web/dashboard.pages.ts'
import { invoicePages } from '#features/invoices/web/invoices.pages.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const usage = `GET /api/account/usage_summary/${uuid}/`
const pages = [...renewalPages, ...invoicePages, ...dashboardPages]
const success = '/services/renew/success/?order=FT0001'
const plain = (text: string | null) => (text ?? '').replaceAll('\u00A0', ' ')
const legs = () =>
  within(screen.getByRole('main'))
    .getAllByRole('listitem')
    .map((leg) => plain(leg.textContent))
const main = () => plain(screen.getByRole('main').textContent)

async function open(replies: Record<string, Reply> = {}) {
  const api = await openAsCustomer(pages, success, { [readOrderEndpoint]: boughtOrder, ...replies })
  await findPageTitle('Renewal Successful!')
  return api
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

test("the success page of a renewal shows the order and reloads the customer's data", async () => {
  const api = await openAsCustomer(pages, `/services/${uuid}/`, {
    'POST /api/orders/recharge/': orderResponse,
    [readOrderEndpoint]: boughtOrder,
    [usage]: usageSummary(),
  })
  await user.click(await screen.findByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }))
  await screen.findByRole('radiogroup', { name: 'Which plan?' })
  expect(location.pathname).toBe(`/services/renew/${shortId}/`)
  const asked = () => ['GET /api/services/', 'GET /api/account/', usage].map((at) => findCalls(api, at).length)
  const before = asked()
  api.replies['GET /api/services/'] = servicesById(testService({ phone_number: '021 555 0143' }))
  await user.click(getButton(/^RENEW/))
  await findPageTitle('Renewal Successful!')
  expect(location.pathname + location.search).toBe(success)
  expect(screen.getByText(/^Your order reference is/).textContent).toBe('Your order reference is FT0001')
  expect(screen.getByText('You will receive a confirmation email in a few minutes.')).toBeTruthy()
  expect(document.title).toContain('Renewal Successful!')
  await expect.poll(() => asked().every((calls, index) => calls > before[index]!)).toBe(true)
  expect(getLinkHref('View invoice')).toBe(`/services/${uuid}/invoices/FT0001/`)
  expect(getLinkHref('Back to 021 555 0142')).toBe(`/services/${uuid}/`)
  await user.click(screen.getByRole('link', { name: /^Back to/ }))
  await screen.findAllByText('021 555 0143')
})

describe('success page of a renewal', () => {
  test('the success page shows a renewed plan that has begun, with its data and its last day', async () => {
    await open()
    expect(main()).toContain('021 555 0142 is paid for until 18 Feb 2027.')
    expect(legs()).toEqual(['25 GB Prepay Plan25 GB now, 75 GB in all, last day 18 Feb 2027.'])
    expect(main()).toContain('Paid$109.40Visa ending 1111, incl. $14.27 GST')
    cleanup()
    await open()
    expect(legs()).toHaveLength(1)
  })

  test('a plan that starts later is listed after the current plan on the success page', async () => {
    const order = { ...boughtOrder, starts_on: '2027-02-13T11:00:00Z', expiry_date: '2027-05-14T12:00:00Z' }
    await open({ [readOrderEndpoint]: order })
    expect(main()).toContain('021 555 0142 is paid for until 14 May 2027.')
    await expect
      .poll(legs)
      .toEqual([
        '25 GB Prepay PlanCurrent plan. 18.4 GB left, 25 GB more on 16 Dec 2026 and later. Last day 13 Feb 2027.',
        '25 GB Prepay Plan, 90 daysStarts automatically on 14 Feb 2027. 75 GB in all, last day 14 May 2027. ' +
          'Cancel for a full refund until the end of 12 Feb 2027.',
      ])
  })

  test('the success page leaves out the remaining data if the network does not report it', async () => {
    const order = { ...boughtOrder, starts_on: '2027-02-13T11:00:00Z', expiry_date: '2027-05-14T12:00:00Z' }
    await open({ [readOrderEndpoint]: order, [usage]: new ApiError(500, {}) })
    expect(legs()[0]).toBe('25 GB Prepay PlanCurrent plan. 25 GB more on 16 Dec 2026 and later. Last day 13 Feb 2027.')
  })

  test('the success page shows a renewal that was paid for with a voucher', async () => {
    await open({
      [readOrderEndpoint]: { ...boughtOrder, total_price: '0.00', tax: '0.00', card: null, by_voucher: true },
    })
    expect(main()).toContain('Paid$0.00With a voucher')
    expect(main()).not.toContain('GST')
  })

  test('the success page of a renewal says “By card” if the card is unknown', async () => {
    await open({ [readOrderEndpoint]: { ...boughtOrder, card: null } })
    expect(main()).toContain('Paid$109.40By card, incl. $14.27 GST')
  })

  test('the success page of a renewal shows no plan if the renewed plan has already ended', async () => {
    await open({ [readOrderEndpoint]: { ...boughtOrder, expiry_date: '2026-11-10T11:00:00Z' } })
    expect(main()).toContain('021 555 0142 was paid for until 10 Nov 2026.')
    expect(screen.queryByRole('heading', { name: 'What you have now' })).toBeNull()
  })
})

test('going back from the success page of a renewal skips the form', async () => {
  await openAsCustomer(pages, `/services/${uuid}/`, {
    'POST /api/orders/recharge/': orderResponse,
    [readOrderEndpoint]: boughtOrder,
    [usage]: usageSummary(),
  })
  await user.click(await screen.findByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }))
  await screen.findByRole('radiogroup', { name: 'Which plan?' })
  await user.click(getButton(/^RENEW/))
  await findPageTitle('Renewal Successful!')
  history.back()
  await expect.poll(() => location.pathname).toBe(`/services/${uuid}/`)
})

test('the success page stays visible while the next page is loading', async () => {
  const invoice = Promise.withResolvers<object>()
  await open({ [`GET /api/account/invoices/${uuid}/FT0001/`]: invoice.promise })
  await user.click(screen.getByRole('link', { name: 'View invoice' }))
  await expect.poll(() => location.pathname).toBe(`/services/${uuid}/invoices/FT0001/`)
  expect(screen.getByRole('heading', { name: 'Renewal Successful!' })).toBeTruthy()
})

test('the success page shows a message if the order cannot be loaded, and lets the customer try again', async () => {
  const api = await openAsCustomer(pages, success, { [readOrderEndpoint]: new ApiError(500, {}) })
  await screen.findByText('Your order can’t be loaded right now.')
  api.replies[readOrderEndpoint] = boughtOrder
  await user.click(getButton('Try Again'))
  expect(await findPageTitle('Renewal Successful!')).toBeTruthy()
})

test.each([
  ['without an order in the URL', '/services/renew/success/', {}],
  ['with an empty order in the URL', '/services/renew/success/?order=', {}],
  [
    'with another customer’s order in the URL',
    success,
    { [readOrderEndpoint]: new ApiError(404, { code: 'Not found.' }) },
  ],
])('the success page of a renewal redirects to the dashboard %s', async (_, path, replies) => {
  await openAsCustomer(pages, path, { [usage]: usageSummary(), ...replies })
  await expect.poll(() => location.pathname).toBe('/')
})

describe('auto-renewal on the success page', () => {
  const offer = () => screen.queryByRole('link', { name: 'Enable auto-renewal' })
  const withAuto = (auto_recharge_enabled: boolean) => {
    const service = testService()
    const schedule = { ...service.schedules[shortId]!, auto_recharge_enabled }
    return { 'GET /api/services/': servicesById({ ...service, schedules: { [shortId]: schedule } }) }
  }

  test('while auto-renewal is off, the success page offers it with a single line and a link', async () => {
    await open(withAuto(false))
    await expect.poll(() => offer()?.getAttribute('href')).toBe(`/services/${uuid}/?auto-renewal`)
    expect(main()).toContain('Auto-renewal is off. Enable auto-renewal')
  })

  test('the success page does not offer auto-renewal if it is already on', async () => {
    await open(withAuto(true))
    await screen.findByText('You will receive a confirmation email in a few minutes.')
    expect(offer()).toBeNull()
  })
})
