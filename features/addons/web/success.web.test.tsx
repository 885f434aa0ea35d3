import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { navigate } from '#kit/web/router/location.ts'
import { data, entitlement, ownedAddOn, summaryWithoutUsage, usageSummary } from '#quality/support/dashboard.tsx'
import { type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { dashboardPages } from '#features/dashboard/web/dashboard.pages.ts'
import {
  boughtAddOn,
  boughtOrder,
  findPageTitle,
  getButton,
  getLinkHref,
  openAsCustomer,
  readOrderEndpoint,
  uuid,
} from '#quality/support/purchase-fixtures.ts'
import { addOnPages } from './addons.pages.ts'

const pages = [...addOnPages, ...dashboardPages]
const path = `/services/${uuid}/addons/success/`
const success = `${path}?order=FT0001`
const usage = `GET /api/account/usage_summary/${uuid}/`
const title = 'Add-On Purchase Successful!'
const plain = (text: string | null) => (text ?? '').replaceAll('\u00A0', ' ')
const main = () => plain(screen.getByRole('main').textContent)
const balances = () =>
  within(screen.getByRole('main'))
    .getAllByRole('listitem')
    .map((item) => plain(item.textContent))

async function open(replies: Record<string, Reply> = {}) {
  const api = await openAsCustomer(pages, success, { [readOrderEndpoint]: boughtAddOn, ...replies })
  await findPageTitle(title)
  return api
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) }))
afterEach(() => void vi.useRealTimers())

test('the add-on success page shows the add-on, its number, its last day, the payment and a link to the invoice', async () => {
  await open()
  expect(main()).toContain('Extra 2 GB for 021 555 0142 is valid until Sun 20 Dec 2026.')
  expect(main()).toContain('Paid$10.00Visa ending 1111, incl. $1.30 GST')
  expect(main()).toContain('Your order reference is FT0001')
  expect(screen.getByText('You will receive a confirmation email in a few minutes.')).toBeTruthy()
  expect(getLinkHref('View invoice')).toBe(`/services/${uuid}/invoices/FT0001/`)
  expect(getLinkHref('Back to 021 555 0142')).toBe(`/services/${uuid}/`)
})

test('the add-on success page shows what is left of this purchase, not of an earlier one', async () => {
  const addons = [
    ownedAddOn({ id: 'FT0000-addon-1', entitlements: [data(2, 0.3)] }),
    ownedAddOn({ id: 'FT0001-addon-1', entitlements: [data(2, 1.4)] }),
  ]
  await open({ [usage]: usageSummary({ addons }) })
  await expect.poll(balances).toEqual(['1.4 GB of 2 GB left'])
})

test('the add-on success page finds the balance by SKU if the network does not name the order', async () => {
  const entitlements = [data(1, 1), entitlement('Minutes', 'Mins', 100, 98), entitlement('SMS/MMS', 'SMS', 50, 50)]
  await open({
    [readOrderEndpoint]: {
      ...boughtAddOn,
      product: { title: 'Australia Roaming', length: 7, data_gb: 1, voice_mins: 100, txt_sms: 50 },
      addon_ids: ['FT0001-addon-1', 'FT-ROAM-AU-7'],
    },
    [usage]: usageSummary({ addons: [ownedAddOn({ id: 'FT-ROAM-AU-7', entitlements })] }),
  })
  await expect.poll(balances).toEqual(['1 GB of 1 GB left', '98 Mins of 100 Mins left', '50 SMS of 50 SMS left'])
})

test('the add-on success page shows what was bought until the balance arrives, even if an older balance is cached', async () => {
  const api = await openAsCustomer(pages, `/services/${uuid}/`, { [readOrderEndpoint]: boughtAddOn })
  await expect.poll(() => api.calls.some(({ at }) => at === usage)).toBe(true)
  const balance = Promise.withResolvers<object>()
  api.replies[usage] = balance.promise
  act(() => navigate(success))
  await findPageTitle(title)
  expect(balances()).toEqual(['2 GB, loading the balance'])
  balance.resolve(usageSummary({ addons: [ownedAddOn({ id: 'FT0001-addon-1', entitlements: [data(2, 2)] })] }))
  await expect.poll(balances).toEqual(['2 GB of 2 GB left'])
})

test.each([
  ['the network does not respond', summaryWithoutUsage],
  ['the usage request fails', new ApiError(500, {})],
  ['the network does not list the add-on', usageSummary()],
])('the add-on success page says that the balance is unknown if %s', async (_, reply) => {
  await open({ [usage]: reply })
  await expect.poll(balances).toEqual(['2 GB · balance unknown'])
})

test('the add-on success page shows a response without `addon_ids`, as the previous version sent it', async () => {
  const { addon_ids: _, product, ...order } = boughtAddOn
  const { title: name, length, data_gb } = product
  await open({ [readOrderEndpoint]: { ...order, product: { title: name, length, data_gb } } })
  expect(main()).toContain('Extra 2 GB for 021 555 0142 is valid until Sun 20 Dec 2026.')
  await expect.poll(balances).toEqual(['2 GB · balance unknown'])
})

test('the add-on success page shows no balance once the add-on has ended', async () => {
  await open({ [readOrderEndpoint]: { ...boughtAddOn, expiry_date: '2026-11-10T11:00:00Z' } })
  expect(main()).toContain('Extra 2 GB for 021 555 0142 was valid until Tue 10 Nov 2026.')
  expect(screen.queryByRole('heading', { name: 'What you have now' })).toBeNull()
})

test.each([
  ['the URL contains no order', path, {}],
  ['the order is unknown or another customer’s', success, { [readOrderEndpoint]: new ApiError(404, {}) }],
  ['the order is for a different service', success, { [readOrderEndpoint]: { ...boughtAddOn, uuid: 'another' } }],
  ['the order is a renewal', success, { [readOrderEndpoint]: boughtOrder }],
])('the add-on success page redirects to the dashboard if %s', async (_, at, replies) => {
  await openAsCustomer(pages, at, replies)
  await expect.poll(() => location.pathname).toBe('/')
  expect(screen.queryByText(title)).toBeNull()
})

test('the add-on success page shows a message if the order cannot be loaded, and lets the customer try again', async () => {
  const api = await openAsCustomer(pages, success, { [readOrderEndpoint]: new ApiError(500, {}) })
  await screen.findByText('Your order can’t be loaded right now.')
  api.replies[readOrderEndpoint] = boughtAddOn
  await userEvent.click(getButton('Try Again'))
  expect(await findPageTitle(title)).toBeTruthy()
})
