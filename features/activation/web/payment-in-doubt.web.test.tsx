import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { noActivationError } from '#quality/support/activation-view.ts'
import {
  getActivateButton,
  findCalls,
  getCardField,
  fillInCard,
  pendingPayment,
  openAndPay,
  openCheckout,
  pay,
  payAgain,
  paymentRefusal,
  activationEndpoint,
  resumePaymentEndpoint,
  toPay,
  activationInProgress,
} from '#quality/support/checkout.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import { type FakeApi, testBootstrap } from '#quality/support/open-portal.tsx'

const paid = { order_code: 'FT0001' }
const waitingToPay = toPay({ order_code: 'FT0001', retry: true })

const timesPaid = (api: FakeApi) => findCalls(api, pay).length
const timesAsked = (api: FakeApi) => findCalls(api, resumePaymentEndpoint).length
const confirming = () => screen.queryByRole('heading', { name: /confirming your payment/ })
const alert = () => screen.queryByRole('alert')?.textContent

withFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('activation payments with an unknown outcome', () => {
  test('polls a pending payment until its outcome is known, and then reloads the activation', async () => {
    const api = await openAndPay({ [pay]: pendingPayment, [resumePaymentEndpoint]: pendingPayment })
    expect(confirming()).not.toBeNull()
    expect(screen.queryByText('Order code FT0001')).not.toBeNull()
    expect(screen.queryByRole('button', { name: /^ACTIVATE/ })).toBeNull()
    expect(timesAsked(api)).toBe(0)
    await pass(1_000)
    expect(timesAsked(api)).toBe(1)
    expect(findCalls(api, resumePaymentEndpoint)[0]).toMatchObject({ body: {} })
    expect(confirming()).not.toBeNull()
    Object.assign(api.replies, { [resumePaymentEndpoint]: paid, [activationEndpoint]: activationInProgress })
    await pass(5_000)
    expect(timesAsked(api)).toBe(2)
    await expectEventually(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(1)
  })

  test('shows why a pending payment was refused, with the card form still filled in', async () => {
    await openAndPay({ [pay]: pendingPayment, [resumePaymentEndpoint]: paymentRefusal('Your card was declined.') })
    await pass(1_000)
    await expectEventually(alert).toBe('Your card was declined.')
    expect(confirming()).toBeNull()
    expect(getCardField('Card number').value).toBe('4111 1111 1111 1111')
    expect(getActivateButton().disabled).toBe(false)
  })
})

describe('visitors who return to a pending payment', () => {
  test('polls a pending payment automatically once the visitor has returned', async () => {
    const api = await openCheckout({ [resumePaymentEndpoint]: pendingPayment }, waitingToPay)
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    expect(timesAsked(api)).toBe(1)
    Object.assign(api.replies, { [resumePaymentEndpoint]: paid, [activationEndpoint]: activationInProgress })
    await pass(5_000)
    await expectEventually(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(0)
  })

  test('tells a returning visitor that the payment was refused, and lets them pay again', async () => {
    const api = await openCheckout(
      { [resumePaymentEndpoint]: paymentRefusal('Your card was declined.'), [pay]: activationInProgress },
      waitingToPay,
    )
    await pass(1_000)
    await expectEventually(alert).toBe('Your card was declined.')
    expect(timesAsked(api)).toBe(1)
    fillInCard()
    await payAgain(api)
    await expectEventually(() => location.pathname).toBe('/activate/processing/')
  })

  test('redirects a returning visitor to the first step if the activation no longer exists', async () => {
    const api = await openCheckout({ [resumePaymentEndpoint]: pendingPayment }, waitingToPay)
    Object.assign(api.replies, { [resumePaymentEndpoint]: paid, [activationEndpoint]: noActivationError })
    await pass(1_000)
    await expectEventually(() => location.pathname).toBe('/activate/')
  })
})

test('polls a payment that another tab has already sent, without showing an error', async () => {
  const api = await openCheckout({ [pay]: new ApiError(409, {}), [resumePaymentEndpoint]: pendingPayment })
  api.replies[activationEndpoint] = waitingToPay
  fillInCard()
  await payAgain(api)
  await expectEventually(confirming).not.toBeNull()
  await pass(1_000)
  expect(timesAsked(api)).toBe(1)
  expect(screen.queryByRole('alert')).toBeNull()
})
