import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { testProduct } from '#quality/support/activation-view.ts'
import {
  testService,
  orderResponse,
  getButton,
  queryHeading,
  pendingResponse,
  getLinkHref,
  servicesById,
  openAsCustomer,
  refusalError,
  shortId,
  uuid,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls } from '#quality/support/checkout.ts'
import { getFieldError, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { renewalMessages } from '../renewal.contract.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const code = '577BD10E8FA7'
const lookup = `GET /api/vouchers/${code}/`
const send = 'POST /api/orders/recharge/'
const { expiry_date } = testService()
const home = `/services/renew/${shortId}/voucher/`
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })
const plan = () => screen.findByRole('region', { name: 'Prepay Plan of your voucher' })
const renew = () => getButton('RENEW')
const paid = /paid (for|with)|\$0\.00/i

async function open(path = home, replies: Record<string, Reply> = {}) {
  const api = await openAsCustomer(renewalPages, path, { [lookup]: { code, product: testProduct }, ...replies })
  await screen.findByRole('textbox', { name: 'Voucher Code' })
  return api
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

test('a voucher code in the URL fills in the form, shows its plan and pays for the renewal', async () => {
  const api = await open(`${home}${code.toLowerCase()}/`, { [send]: orderResponse })
  expect(field().value).toBe(code)
  expect((await plan()).textContent).toContain('25 GB Prepay Plan')
  expect(screen.queryByText(renewalMessages.notice)).toBeNull()
  expect(getLinkHref('Cancel')).toBe(`/services/${uuid}/`)
  await user.click(renew())
  await expect.poll(() => location.pathname).toBe('/services/renew/success/')
  expect(findCalls(api, send).map(({ body }) => body)).toEqual([
    { uuid, schedule: shortId, expiry_date, payment_method: '2', code, starts: 'at_end', expected_total: '0.00' },
  ])
})

test('a renewal by voucher costs nothing, lets the customer choose when it starts, and keeps the choice after a reload', async () => {
  const api = await open(`${home}${code}/`, { [send]: orderResponse })
  await plan()
  const now = () => screen.getByRole<HTMLInputElement>('radio', { name: 'Now' })
  const total = () => within(screen.getByRole('complementary', { name: 'Summary' }))
  expect(now().checked).toBe(false)
  expect(total().getByText('14 May 2027')).toBeTruthy()
  await user.click(now())
  expect(total().getByText(renewalMessages.notice)).toBeTruthy()
  expect(total().getByText('$0.00')).toBeTruthy()
  expect(total().getByText(/Paid with your voucher\./)).toBeTruthy()
  cleanup()
  const after = await open(`${home}${code}/`, { [send]: orderResponse })
  await plan()
  expect([field().value, now().checked]).toEqual([code, true])
  await user.click(renew())
  await expect.poll(() => findCalls(after, send)[0]?.body).toMatchObject({ code, starts: 'now' })
  expect(findCalls(api, send)).toEqual([])
})

test('the voucher page looks up a typed code as soon as it has twelve characters', async () => {
  const api = await open()
  await user.type(field(), code.slice(0, 11).toLowerCase())
  expect(findCalls(api, lookup)).toEqual([])
  await user.type(field(), '7')
  await plan()
  expect(findCalls(api, lookup).map(({ query }) => query)).toEqual([{ event_type: 'RENEWAL' }])
})

test('the voucher page shows no notice about lost days if the current plan has expired', async () => {
  await open(home, { 'GET /api/services/': servicesById(testService({ is_expired: true })) })
  expect(screen.queryByText(renewalMessages.notice)).toBeNull()
})

test('the voucher page for renewals asks for no card and links to the card payment', async () => {
  await open()
  expect(screen.queryByRole('textbox', { name: 'Card number' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Voucher' }).getAttribute('aria-current')).toBe('page')
  await user.click(screen.getByRole('link', { name: 'Card payment' }))
  await screen.findByRole('radiogroup', { name: 'Which plan?' })
  expect(location.pathname).toBe(`/services/renew/${shortId}/plan/`)
})

describe('errors in the voucher code on the renewal page', () => {
  test('a renewal by voucher requires a voucher code', async () => {
    const api = await open()
    await user.click(renew())
    expect(getFieldError(field())).toBe(voucherMessages.required)
    expect(findCalls(api, send)).toEqual([])
  })

  test.each([
    ['that has been used', new ApiError(412, { type: voucherMessages.used }), voucherMessages.used],
    ['that is looked up too often', new ApiError(429, { code: formMessages.tooMany }), formMessages.tooMany],
    ['whose lookup is not answered', new ApiError(0, undefined), voucherMessages.noAnswer],
  ])('a voucher code %s shows an error, and nothing is sent', async (_, failure, message) => {
    await open(`${home}${code}/`, { [lookup]: failure })
    await expect.poll(() => getFieldError(field())).toBe(message)
    expect(renew().disabled).toBe(true)
  })

  test('a voucher that has been used in the meantime shows an error and no longer pays for the renewal', async () => {
    const api = await open(`${home}${code}/`, { [send]: refusalError(voucherMessages.used) })
    await plan()
    api.replies[lookup] = new ApiError(412, { type: voucherMessages.used })
    await user.click(renew())
    expect((await screen.findByRole('alert')).textContent).toBe(voucherMessages.used)
    await expect.poll(() => getFieldError(field())).toBe(voucherMessages.used)
    expect(screen.getByRole('alert').textContent).toBe(voucherMessages.used)
    expect(screen.queryByText(paid)).toBeNull()
  })

  test.each([
    ['', null],
    ['AAAAAAAAAAAA/', voucherMessages.unknown],
  ])('the voucher page shows no plan and no payment for an empty or unknown code: "%s"', async (inAddress, message) => {
    const unknown = { 'GET /api/vouchers/AAAAAAAAAAAA/': new ApiError(412, { type: voucherMessages.unknown }) }
    await open(`${home}${inAddress}`, unknown)
    await expect.poll(() => getFieldError(field())).toBe(message)
    expect(screen.queryByText(paid)).toBeNull()
  })

  test('an error that the server reports for the voucher code is shown at the code field', async () => {
    await open(`${home}${code}/`, { [send]: new ApiError(400, { code: [voucherMessages.unknown] }) })
    await plan()
    await user.click(renew())
    await expect.poll(() => getFieldError(field())).toBe(voucherMessages.unknown)
    expect(screen.queryByText(paid)).toBeNull()
  })

  test('a typed voucher code survives a reload, but a code in the URL replaces it', async () => {
    await open()
    await user.type(field(), code)
    cleanup()
    await open()
    expect(field().value).toBe(code)
    cleanup()
    await open(`${home}AAAAAAAAAAAA/`, {
      'GET /api/vouchers/AAAAAAAAAAAA/': { code: 'AAAAAAAAAAAA', product: testProduct },
    })
    expect(field().value).toBe('AAAAAAAAAAAA')
  })
})

test('a renewal by voucher keeps its idempotency key after a lost response and a reload', async () => {
  const before = await open(`${home}${code}/`, { [send]: new ApiError(0, undefined) })
  await plan()
  await user.click(renew())
  await screen.findByText(formMessages.noAnswer)
  cleanup()
  const after = await open(`${home}${code}/`, { [send]: orderResponse })
  await plan()
  await user.click(renew())
  await expect.poll(() => location.pathname).toBe('/services/renew/success/')
  const keys = [before, after].flatMap((api) => findCalls(api, send)).map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

test('while a renewal by voucher is undecided, the page says that nothing will be charged', async () => {
  await open(`${home}${code}/`, { [send]: pendingResponse })
  await plan()
  await user.click(renew())
  await expect.poll(() => queryHeading(/confirming your renewal/)).not.toBeNull()
  expect(screen.getByText(/You will not be charged\./)).toBeTruthy()
})
