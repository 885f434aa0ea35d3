import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { saveVoucher, readSavedVoucher } from '#features/vouchers/web/saved-voucher.ts'
import {
  getActivateButton,
  findCalls,
  pendingPayment,
  listIdempotencyKeys,
  openCheckout,
  pay,
  paymentRefusal,
  activationEndpoint,
  resumePaymentEndpoint,
  voucherActivation,
} from '#quality/support/checkout.ts'

const user = userEvent.setup()
const code = '577BD10E8FA7'

beforeEach(() => {
  sessionStorage.clear()
  saveVoucher(code)
})

test('when paying with a voucher, the checkout says that nothing is charged today and does not ask for a card', async () => {
  await openCheckout({}, voucherActivation())
  expect(screen.getByText(/will not be charged today/)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(getActivateButton().textContent).toBe('ACTIVATE')
})

test('if the voucher has already been used, the checkout says so as soon as it opens', async () => {
  await openCheckout({}, voucherActivation({ voucher_refusal: voucherMessages.used }))
  expect(screen.getByText(voucherMessages.used)).toBeTruthy()
  expect(screen.getByText('You will not be charged today. Go back to use another code or to buy a plan.')).toBeTruthy()
  expect(screen.queryByText(/Your voucher pays|Paid with your voucher/)).toBeNull()
})

test('when paying with a voucher, pressing ACTIVATE sends the payment method and the total, but not the voucher code', async () => {
  const api = await openCheckout({ [pay]: voucherActivation({ state: 'ACTIVATING' }) }, voucherActivation())
  await user.click(getActivateButton())
  await expect.poll(() => location.pathname).toBe('/activate/processing/')
  expect(findCalls(api, pay).map(({ body }) => body)).toEqual([{ payment_method: '2', expected_total: '0.00' }])
  expect(listIdempotencyKeys(api)).toEqual([expect.stringMatching(/^[\w-]{32,64}$/)])
})

test("says that the voucher has just been used, and sends a new idempotency key with the visitor's next attempt", async () => {
  const api = await openCheckout({ [pay]: paymentRefusal(voucherMessages.used) }, voucherActivation())
  api.replies[activationEndpoint] = voucherActivation({ voucher_refusal: voucherMessages.used })
  await user.click(getActivateButton())
  expect((await screen.findByRole('alert')).textContent).toBe(voucherMessages.used)
  expect(screen.queryByText(/Your voucher pays|Paid with your voucher/)).toBeNull()
  await user.click(getActivateButton())
  expect(new Set(listIdempotencyKeys(api)).size).toBe(2)
})

test('deletes the saved voucher code only after the activation has succeeded', async () => {
  const api = await openCheckout({ [pay]: new ApiError(409, {}) }, voucherActivation())
  await user.click(getActivateButton())
  await expect.poll(() => getActivateButton().disabled).toBe(false)
  expect(readSavedVoucher()).toBe(code)
  api.replies[pay] = voucherActivation({ state: 'SUCCESSFUL' })
  await user.click(getActivateButton())
  await screen.findByRole('heading', { name: 'Activation Complete' })
  await expect.poll(readSavedVoucher).toBeNull()
})

test('polls a pending voucher payment like a card payment', async () => {
  await openCheckout(
    { [pay]: pendingPayment, [resumePaymentEndpoint]: new ApiError(0, undefined) },
    voucherActivation(),
  )
  await user.click(getActivateButton())
  expect(await screen.findByRole('heading', { name: /confirming your payment/ })).toBeTruthy()
})

test('when paying with a voucher, pressing BACK on the checkout returns to the choice of payment method, not to the plans', async () => {
  await openCheckout({ [`GET /api/vouchers/${code}/`]: new ApiError(0, undefined) }, voucherActivation())
  await user.click(screen.getByRole('button', { name: 'BACK' }))
  await expect.poll(() => location.pathname).toBe('/activate/method/')
})
