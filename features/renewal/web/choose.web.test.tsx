import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { anonymousAccount } from '#quality/support/account.ts'
import { testProduct } from '#quality/support/activation-view.ts'
import {
  testService,
  servicesById,
  openAsCustomer,
  findPageTitle,
  refusalError,
  shortId,
} from '#quality/support/purchase-fixtures.ts'
import type { Reply } from '#quality/support/open-portal.tsx'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { saveVoucher, readSavedVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const code = '577BD10E8FA7'
const lookup = `GET /api/vouchers/${code}/`
const good = { [lookup]: { code, product: testProduct } }
const old = testService({ uuid: 'c8c9', phone_number: '027 555 0199', plan_short_id: '2CD', is_expired: true })

const services = () =>
  within(screen.getByRole('main'))
    .getAllByRole('listitem')
    .map((item) => [item.textContent, within(item).getByRole('link').getAttribute('href')])

async function open(path = '/services/renew/', replies: Record<string, Reply> = {}) {
  const api = await openAsCustomer(renewalPages, path, {
    'GET /api/services/': servicesById(testService(), old),
    ...replies,
  })
  await findPageTitle('Renew Prepay Plan')
  return api
}

beforeEach(() => sessionStorage.clear())

describe('choosing a service to renew', () => {
  test('lists each service to renew with its number, its plan and its length', async () => {
    await open()
    expect(services()).toEqual([
      ['021 555 014225 GB Prepay Plan · 90 days', `/services/renew/${shortId}/`],
      ['027 555 019925 GB Prepay Plan · 90 daysPrepay Plan Expired', '/services/renew/2CD/'],
    ])
    expect(
      within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
        .getByRole('link', { name: 'My Dashboard' })
        .getAttribute('href'),
    ).toBe('/')
  })

  test('each service in the list of services to renew links to its renewal page', async () => {
    await open()
    await user.click(screen.getByRole('link', { name: /021 555 0142/ }))
    await expect.poll(() => location.pathname).toBe(`/services/renew/${shortId}/`)
  })

  test('the page for choosing a service links to SIM activation if the customer has no services', async () => {
    await open('/services/renew/', { 'GET /api/services/': {} })
    expect(screen.getByRole('link', { name: 'Activate New Sim' }).getAttribute('href')).toBe('/activate/new/')
  })

  test('the page for choosing a service shows a message if the services cannot be loaded, and lets the customer try again', async () => {
    const api = await openAsCustomer(renewalPages, '/services/renew/', { 'GET /api/services/': new ApiError(500, {}) })
    await screen.findByText('Your services can’t be loaded right now.')
    api.replies['GET /api/services/'] = servicesById(testService())
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('link', { name: /021 555 0142/ })).toBeTruthy()
  })

  test('a signed-out visitor to the renewal page is redirected to the login page, and the URL names the page to return to', async () => {
    await openAsCustomer(renewalPages, '/services/renew/', {
      'GET /api/account/': anonymousAccount,
      'GET /api/services/': new ApiError(401, {}),
    })
    await expect.poll(() => location.pathname + location.search).toBe('/login/?next=%2Fservices%2Frenew%2F')
  })
})

describe('following a link that contains a voucher code', () => {
  test("a link with a voucher code shows the voucher's plan, saves the code and adds it to each service's link", async () => {
    const api = await open(`/services/renew/voucher/${code.toLowerCase()}/`, good)
    expect((await screen.findByRole('region', { name: 'Prepay Plan of your voucher' })).textContent).toContain(
      '25 GB Prepay Plan',
    )
    expect(readSavedVoucher()).toBe(code)
    expect(services()[0]?.[1]).toBe(`/services/renew/${shortId}/voucher/${code}/`)
    expect(api.calls.find(({ at }) => at === lookup)?.query).toEqual({ event_type: 'RENEWAL' })
  })

  test.each([
    ['has been used', new ApiError(412, { type: voucherMessages.used }), voucherMessages.used],
    ['has expired', new ApiError(412, { type: voucherMessages.expired }), voucherMessages.expired],
  ])('a voucher from a link that %s shows a message and is not saved', async (_, failure, message) => {
    saveVoucher(code)
    await open(`/services/renew/voucher/${code}/`, { [lookup]: failure })
    expect((await screen.findByRole('alert')).textContent).toContain(message)
    expect(readSavedVoucher()).toBeNull()
    expect(screen.getByRole('link', { name: 'Renew without this voucher' }).getAttribute('href')).toBe(
      '/services/renew/',
    )
  })

  test('rejects a voucher code of the wrong length without looking it up', async () => {
    const api = await open('/services/renew/voucher/577BD/')
    expect((await screen.findByRole('alert')).textContent).toContain(voucherMessages.unknown)
    expect(api.calls.some(({ at }) => at.includes('/vouchers/'))).toBe(false)
    expect(readSavedVoucher()).toBeNull()
  })

  test.each([
    ['is not answered by the server', new ApiError(0, undefined), voucherMessages.noAnswer],
    [
      'exceeds a limit',
      new ApiError(429, { code: 'Too many requests. Please try again shortly.' }),
      'Too many requests. Please try again shortly.',
    ],
    ['fails with an unknown error', refusalError('No.'), voucherMessages.noAnswer],
  ])('a voucher from a link shows a message and stays saved when the lookup %s', async (_, failure, message) => {
    await open(`/services/renew/voucher/${code}/`, { [lookup]: failure })
    expect((await screen.findByRole('alert')).textContent).toContain(message)
    expect(readSavedVoucher()).toBe(code)
  })
})

describe('a voucher code saved earlier', () => {
  test.each(['', 'plan/', 'voucher/'])(
    'opening …/%s redirects to the voucher page with the saved voucher code in the URL',
    async (page) => {
      saveVoucher(code)
      const length = history.length
      await open(`/services/renew/${shortId}/${page}`, good)
      await expect.poll(() => location.pathname).toBe(`/services/renew/${shortId}/voucher/${code}/`)
      expect(readSavedVoucher()).toBeNull()
      expect(history.length).toBe(length)
      expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })).value).toBe(code)
    },
  )

  test('a voucher code in the URL replaces the saved voucher code', async () => {
    saveVoucher('AAAAAAAAAAAA')
    await open(`/services/renew/${shortId}/voucher/${code}/`, good)
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })).value).toBe(code)
    await expect.poll(readSavedVoucher).toBeNull()
    expect(location.pathname).toBe(`/services/renew/${shortId}/voucher/${code}/`)
  })

  test('a customer can still switch to card payment after a saved voucher code has been filled in', async () => {
    saveVoucher(code)
    await open(`/services/renew/${shortId}/`, good)
    await screen.findByRole('textbox', { name: 'Voucher Code' })
    await user.click(screen.getByRole('link', { name: 'Card payment' }))
    await screen.findByRole('radiogroup', { name: 'Which plan?' })
    expect(location.pathname).toBe(`/services/renew/${shortId}/plan/`)
  })
})

test.each([
  '/services/renew/voucher/',
  '/services/renew/plan/',
  '/services/renew/success/x/',
  `/services/renew/${shortId}/cash/`,
])('shows the not-found page at %s', async (path) => {
  await openAsCustomer(renewalPages, path)
  expect(await findPageTitle('No such page')).toBeTruthy()
})

test("the renewal URL of another customer's plan shows the not-found page", async () => {
  await openAsCustomer(renewalPages, '/services/renew/9ZZ/')
  expect(await findPageTitle('Unfortunately we could not find what you were looking for')).toBeTruthy()
  await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
})
