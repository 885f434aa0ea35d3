import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { saveVoucher, readSavedVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { activationView, testProduct } from '#quality/support/activation-view.ts'
import { getFieldError, createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()
const buy = () => screen.getByRole<HTMLInputElement>('radio', { name: 'Buy a Prepay Plan now' })
const voucher = () => screen.getByRole<HTMLInputElement>('radio', { name: 'I have an email with a Voucher Code' })
const code = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Voucher Code' })
const proceed = () => screen.getByRole<HTMLButtonElement>('button', { name: 'CONTINUE' })
const plan = () => screen.findByRole('region', { name: 'Prepay Plan of your voucher' })

const paid = /paid (for|with)|\$0\.00/i
const paidFor = 'Next: activate your SIM. Your voucher pays for the plan, so you pay $0.00.'

const given = '577BD10E8FA7'
const lookup = `GET /api/vouchers/${given}/`
const submit = 'POST /api/activate/method/'

async function open(replies = {}, now = activationView({ state: 'DETAILS_ENTERED' })) {
  const api = createFakeApi({
    'GET /api/activate/': now,
    'GET /api/account/': { authenticated: false, user: null },
    [lookup]: { code: given, product: testProduct },
    ...replies,
  })
  await openPortal(activationPages, '/activate/method/', api)
  await screen.findByRole('radiogroup')
  return api
}

const timesAsked = (api: { calls: { at: string }[] }) => api.calls.filter(({ at }) => at === lookup).length

beforeEach(() => sessionStorage.clear())

test('the payment method page requires a choice between buying a plan and using a voucher', async () => {
  await open()
  await user.click(proceed())
  expect(getFieldError(screen.getByRole('radiogroup'))).toBe('This field is required.')
})

test('the payment method page shows the next step and its cost for each method', async () => {
  await open()
  await user.click(buy())
  expect(screen.getByText(/^Next: choose a plan\. You’ll see the prices now, and pay in the last step\.$/)).toBeTruthy()
  await user.click(voucher())
  await user.type(code(), given)
  expect(await screen.findByText(paidFor)).toBeTruthy()
})

test('does not say that a voucher pays for the plan until the server has confirmed the code', async () => {
  await open({ 'GET /api/vouchers/577BD10E8FA8/': new ApiError(412, { type: voucherMessages.unknown }) })
  const asks = 'Next: activate your SIM. Enter your code to see the plan it pays for.'
  await user.click(voucher())
  expect(screen.getByText(asks)).toBeTruthy()
  await user.type(code(), '577BD10E8FA8')
  await expect.poll(() => getFieldError(code())).toBe(voucherMessages.unknown)
  expect(screen.getByText(asks)).toBeTruthy()
  expect(screen.queryByText(paid)).toBeNull()
  await user.type(code(), '{Backspace}7')
  expect(await screen.findByText(paidFor)).toBeTruthy()
  await user.type(code(), '{Backspace}')
  expect(screen.queryByText(paid)).toBeNull()
})

test('does not ask for a voucher code when the visitor chooses to buy a plan', async () => {
  const api = await open({ [submit]: activationView({ state: 'ACTIVATING' }) })
  await user.click(buy())
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.click(proceed())
  await expect.poll(() => api.calls.at(-1)).toMatchObject({ at: submit, body: { method: 'payment' } })
})

test('requires a voucher code when the visitor chooses to use a voucher', async () => {
  await open()
  await user.click(voucher())
  await user.click(proceed())
  expect(getFieldError(code())).toBe(voucherMessages.required)
})

test('looks up a voucher code as soon as its twelfth character has been typed, and shows the code in capitals', async () => {
  const api = await open()
  await user.click(voucher())
  await user.type(code(), '577bd-10e8 fa')
  expect(code().value).toBe('577BD10E8FA')
  expect(timesAsked(api)).toBe(0)
  await user.type(code(), '7x')
  expect(code().value).toBe(given)
  expect((await plan()).textContent).toContain('25 GB Prepay Plan')
  expect(timesAsked(api)).toBe(1)
  expect(api.calls.at(-1)).toMatchObject({ query: { event_type: 'ACTIVATION' } })
})

test.each([
  [
    'a 412 with its `type` as the message',
    new ApiError(412, { type: voucherMessages.used, code: 'no' }),
    voucherMessages.used,
  ],
  [
    'any other error with its `code` as the message',
    new ApiError(429, { type: 'no', code: 'Too many codes.' }),
    'Too many codes.',
  ],
  ['an error without a message', new ApiError(500, undefined), voucherMessages.noAnswer],
  ['no response at all', new ApiError(0, undefined), voucherMessages.noAnswer],
])('shows why a voucher lookup failed, next to the code field: %s', async (_, failure, message) => {
  await open({ [lookup]: failure })
  await user.click(voucher())
  await user.type(code(), given)
  await expect.poll(() => getFieldError(code())).toBe(message)
  expect(proceed().disabled).toBe(true)
  await user.type(code(), '{Backspace}')
  expect(getFieldError(code())).toBeNull()
})

test('a voucher lookup that received no response can be retried', async () => {
  const api = await open({ [lookup]: new ApiError(0, undefined) })
  await user.click(voucher())
  await user.type(code(), given)
  const again = await screen.findByRole('button', { name: 'Try Again' })
  api.replies[lookup] = { code: given, product: testProduct }
  await user.click(again)
  await plan()
  expect(getFieldError(code())).toBeNull()
  expect(proceed().disabled).toBe(false)
})

test('does not offer to look up an expired voucher again', async () => {
  const api = await open({ [lookup]: new ApiError(412, { type: voucherMessages.expired }) })
  await user.click(voucher())
  await user.type(code(), given)
  await expect.poll(() => getFieldError(code())).toBe(voucherMessages.expired)
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
  await user.click(buy())
  expect(proceed().disabled).toBe(false)
  await user.click(voucher())
  expect(getFieldError(code())).toBe(voucherMessages.expired)
  expect(timesAsked(api)).toBe(1)
})

test('pressing CONTINUE sends the voucher code, and the code is filled in again when the visitor comes back', async () => {
  const api = await open({ [submit]: activationView({ state: 'ACTIVATING' }) })
  await user.click(voucher())
  await user.type(code(), given)
  await plan()
  await user.click(proceed())
  await expect.poll(() => readSavedVoucher()).toBe(given)
  expect(api.calls.at(-1)).toMatchObject({ at: submit, body: { method: 'voucher', code: given } })

  cleanup()
  await open({}, activationView({ state: 'DETAILS_ENTERED', method: 'voucher', using_voucher: true }))
  expect(code().value).toBe(given)
})

test("shows the server's error about the voucher code next to the code field", async () => {
  await open({ [submit]: new ApiError(400, { code: [voucherMessages.used] }) })
  await user.click(voucher())
  await user.type(code(), given)
  await plan()
  await user.click(proceed())
  await expect.poll(() => getFieldError(code())).toBe(voucherMessages.used)
  expect(screen.queryByText(paid)).toBeNull()
})

test('fills in a voucher code that was saved earlier', async () => {
  saveVoucher(given)
  await open()
  expect(voucher().checked).toBe(true)
  expect(code().value).toBe(given)
  await plan()
})

test('keeps the choice to buy a plan, and fills in the saved code if the visitor switches to a voucher', async () => {
  saveVoucher(given)
  await open({}, activationView({ state: 'DETAILS_ENTERED', method: 'payment' }))
  expect(buy().checked).toBe(true)
  await user.click(voucher())
  expect(code().value).toBe(given)
})

test('a reload keeps the chosen payment method and the code typed so far', async () => {
  await open()
  await user.click(voucher())
  await user.type(code(), '577BD1')
  cleanup()
  await open()
  expect([voucher().checked, code().value]).toEqual([true, '577BD1'])
})
