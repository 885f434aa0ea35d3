import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { anonymous } from '#quality/support/account.ts'
import { product } from '#quality/support/activation.ts'
import { aService, listOf, openAsCustomer, pageTitle, refusal, shortId } from '#quality/support/buying.ts'
import type { Reply } from '#quality/support/portal.tsx'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { saveVoucher, savedVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const code = '577BD10E8FA7'
const lookup = `GET /api/vouchers/${code}/`
const good = { [lookup]: { code, product } }
const old = aService({ uuid: 'c8c9', phone_number: '027 555 0199', plan_short_id: '2CD', is_expired: true })

const services = () =>
  within(screen.getByRole('main'))
    .getAllByRole('listitem')
    .map((item) => [item.textContent, within(item).getByRole('link').getAttribute('href')])

async function open(path = '/services/renew/', replies: Record<string, Reply> = {}) {
  const api = await openAsCustomer(renewalPages, path, { 'GET /api/services/': listOf(aService(), old), ...replies })
  await pageTitle('Renew Prepay Plan')
  return api
}

beforeEach(() => sessionStorage.clear())

describe('without a service', () => {
  test('each is listed by its number, its plan and its length', async () => {
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

  test('one leads to its renewal', async () => {
    await open()
    await user.click(screen.getByRole('link', { name: /021 555 0142/ }))
    await expect.poll(() => location.pathname).toBe(`/services/renew/${shortId}/`)
  })

  test('a customer who has none is led to a SIM', async () => {
    await open('/services/renew/', { 'GET /api/services/': {} })
    expect(screen.getByRole('link', { name: 'Activate New Sim' }).getAttribute('href')).toBe('/activate/new/')
  })

  test('a list that cannot be had says so, and can be asked for again', async () => {
    const api = await openAsCustomer(renewalPages, '/services/renew/', { 'GET /api/services/': new ApiError(500, {}) })
    await screen.findByText('Your services can’t be loaded right now.')
    api.replies['GET /api/services/'] = listOf(aService())
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('link', { name: /021 555 0142/ })).toBeTruthy()
  })

  test('a visitor logs in first, and comes back', async () => {
    await openAsCustomer(renewalPages, '/services/renew/', {
      'GET /api/account/': anonymous,
      'GET /api/services/': new ApiError(401, {}),
    })
    await expect.poll(() => location.pathname + location.search).toBe('/login/?next=%2Fservices%2Frenew%2F')
  })
})

describe('with a voucher from a link', () => {
  test('its plan shows, the code is kept, and each service leads on with it', async () => {
    const api = await open(`/services/renew/voucher/${code.toLowerCase()}/`, good)
    expect((await screen.findByRole('region', { name: 'Prepay Plan of your voucher' })).textContent).toContain(
      '25 GB Prepay Plan',
    )
    expect(savedVoucher()).toBe(code)
    expect(services()[0]?.[1]).toBe(`/services/renew/${shortId}/voucher/${code}/`)
    expect(api.calls.find(({ at }) => at === lookup)?.query).toEqual({ event_type: 'RENEWAL' })
  })

  test.each([
    ['has been used', new ApiError(412, { type: voucherMessages.used }), voucherMessages.used],
    ['has expired', new ApiError(412, { type: voucherMessages.expired }), voucherMessages.expired],
  ])('that %s is told so, and forgotten', async (_, failure, message) => {
    saveVoucher(code)
    await open(`/services/renew/voucher/${code}/`, { [lookup]: failure })
    expect((await screen.findByRole('alert')).textContent).toContain(message)
    expect(savedVoucher()).toBeNull()
    expect(screen.getByRole('link', { name: 'Renew without this voucher' }).getAttribute('href')).toBe(
      '/services/renew/',
    )
  })

  test('a code of another length is none, which takes no asking', async () => {
    const api = await open('/services/renew/voucher/577BD/')
    expect((await screen.findByRole('alert')).textContent).toContain(voucherMessages.unknown)
    expect(api.calls.some(({ at }) => at.includes('/vouchers/'))).toBe(false)
    expect(savedVoucher()).toBeNull()
  })

  test.each([
    ['is not answered', new ApiError(0, undefined), voucherMessages.noAnswer],
    [
      'is asked about too often',
      new ApiError(429, { code: 'Too many requests. Please try again shortly.' }),
      'Too many requests. Please try again shortly.',
    ],
    ['fails in words of its own', refusal('No.'), voucherMessages.noAnswer],
  ])('that %s is kept all the same', async (_, failure, message) => {
    await open(`/services/renew/voucher/${code}/`, { [lookup]: failure })
    expect((await screen.findByRole('alert')).textContent).toContain(message)
    expect(savedVoucher()).toBe(code)
  })
})

describe('a kept code meets a plan', () => {
  test.each(['', 'plan/', 'voucher/'])(
    'at …/%s: it is cleared, and goes on in the address of the plan’s voucher page',
    async (page) => {
      saveVoucher(code)
      const length = history.length
      await open(`/services/renew/${shortId}/${page}`, good)
      await expect.poll(() => location.pathname).toBe(`/services/renew/${shortId}/voucher/${code}/`)
      expect(savedVoucher()).toBeNull()
      expect(history.length).toBe(length)
      expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })).value).toBe(code)
    },
  )

  test('another in the address is the newer one', async () => {
    saveVoucher('AAAAAAAAAAAA')
    await open(`/services/renew/${shortId}/voucher/${code}/`, good)
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })).value).toBe(code)
    await expect.poll(savedVoucher).toBeNull()
    expect(location.pathname).toBe(`/services/renew/${shortId}/voucher/${code}/`)
  })

  test('then a card may pay after all', async () => {
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
])('%s is no page', async (path) => {
  await openAsCustomer(renewalPages, path)
  expect(await pageTitle('No such page')).toBeTruthy()
})

test('a plan that is not theirs is not found', async () => {
  await openAsCustomer(renewalPages, '/services/renew/9ZZ/')
  expect(await pageTitle('Unfortunately we could not find what you were looking for')).toBeTruthy()
  await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
})
