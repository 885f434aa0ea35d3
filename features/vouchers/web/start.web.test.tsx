import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { testProduct } from '#quality/support/activation-view.ts'
import { anonymousAccount, signedInAccount } from '#quality/support/account.ts'
import { type FakeApi, getFieldError, createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { voucherMessages } from '../vouchers.contract.ts'
import { clearVoucher, saveVoucher, readSavedVoucher } from './saved-voucher.ts'
import { voucherPages } from './vouchers.pages.ts'

const user = userEvent.setup()
const code = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })
const plan = () => screen.findByRole('region', { name: 'Prepay Plan of your voucher' })

const given = '577BD10E8FA7'
const lookup = `GET /api/vouchers/${given}/`
const lookups = (api: FakeApi) => api.calls.filter(({ at }) => at.startsWith('GET /api/vouchers/'))

async function open(path: string, replies = {}) {
  const api = createFakeApi({
    [lookup]: { code: given, product: testProduct },
    'GET /api/account/': anonymousAccount,
    ...replies,
  })
  await openPortal(voucherPages, path, api)
  await screen.findByRole('heading', { level: 1, name: 'Start with a Voucher Code' })
  return api
}

beforeEach(() => sessionStorage.clear())

test('the voucher page saves a valid voucher code and offers activation and renewal', async () => {
  const api = await open(`/use-voucher/${given.toLowerCase()}/`)
  expect((await plan()).textContent).toContain('25 GB Prepay Plan')
  expect(screen.getByRole('link', { name: /^Activate a new Prepay Plan/ }).getAttribute('href')).toBe('/activate/new/')
  expect(screen.getByRole('link', { name: /^Renew an existing Prepay Plan/ }).getAttribute('href')).toBe(
    `/services/renew/voucher/${given}/`,
  )
  expect(readSavedVoucher()).toBe(given)
  expect(lookups(api)).toMatchObject([{ at: lookup, query: { event_type: 'ACTIVATION' } }])
})

test.each([
  ['used', new ApiError(412, { type: voucherMessages.used }), voucherMessages.used],
  [
    'looked up too often',
    new ApiError(429, { code: 'Too many requests. Please try again shortly.' }),
    'Too many requests. Please try again shortly.',
  ],
  ['not answered by the server', new ApiError(0, undefined), voucherMessages.noAnswer],
])('a voucher code that was %s shows an error message and is not saved', async (_, failure, message) => {
  const api = await open(`/use-voucher/${given}/`, { [lookup]: failure })
  const field = await code()
  await expect.poll(() => getFieldError(field)).toBe(message)
  expect(screen.queryByRole('link', { name: /Prepay Plan/ })).toBeNull()
  expect(readSavedVoucher()).toBeNull()
  expect(lookups(api)).toHaveLength(1)
})

test('the voucher page rejects a voucher code of the wrong length without sending a request', async () => {
  const api = await open('/use-voucher/577BD/')
  expect(getFieldError(await code())).toBe(voucherMessages.unknown)
  expect(lookups(api)).toEqual([])
})

test('a mistyped voucher code can be corrected on the voucher page', async () => {
  await open('/use-voucher/577BD10E8FA8/', {
    'GET /api/vouchers/577BD10E8FA8/': new ApiError(412, { type: voucherMessages.unknown }),
  })
  await user.type(await code(), '{Backspace}7')
  await plan()
  await user.click(screen.getByRole('button', { name: 'CONTINUE' }))
  await screen.findByRole('link', { name: /^Activate a new Prepay Plan/ })
  expect(location.pathname).toBe(`/use-voucher/${given}/`)
})

test.each([
  ['a visitor to activating a SIM', anonymousAccount, '/activate/'],
  ['a customer back to renewing', signedInAccount(), '/services/renew/'],
  [
    'a customer with an unconfirmed email address to activating a SIM',
    signedInAccount({ email_verified: false }),
    '/activate/',
  ],
])('Skip on the voucher page takes %s', async (_, account, href) => {
  await open('/use-voucher/577BD/', { 'GET /api/account/': account })
  expect(screen.getByRole('link', { name: 'Skip' }).getAttribute('href')).toBe(href)
})

test('if a voucher lookup gets no answer, the customer can try again', async () => {
  const api = await open(`/use-voucher/${given}/`, { [lookup]: new ApiError(0, undefined) })
  const again = await screen.findByRole('button', { name: 'Try Again' })
  api.replies[lookup] = { code: given, product: testProduct }
  await user.click(again)
  expect(await plan()).toBeTruthy()
})

test('the voucher page works without session storage, but then saves nothing', async () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied })
  saveVoucher(given)
  clearVoucher()
  expect(readSavedVoucher()).toBeNull()
  await open(`/use-voucher/${given}/`)
  await plan()
})
