import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { noActivationError } from '#quality/support/activation-view.ts'
import {
  activateButton,
  findCalls,
  cardField,
  fillInCard,
  pendingPayment,
  openAndPay,
  openCheckout,
  pay,
  payAgain,
  paymentRefusal,
  reloadCall,
  resumePaymentCall,
  toPay,
  activatingActivation,
} from '#quality/support/checkout.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import { type FakeApi, testBootstrap } from '#quality/support/open-portal.tsx'

const paid = { order_code: 'FT0001' }
const waitingToPay = toPay({ order_code: 'FT0001', retry: true })

const timesPaid = (api: FakeApi) => findCalls(api, pay).length
const timesAsked = (api: FakeApi) => findCalls(api, resumePaymentCall).length
const confirming = () => screen.queryByRole('heading', { name: /confirming your payment/ })
const alert = () => screen.queryByRole('alert')?.textContent

withFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('activation payments with an unknown outcome', () => {
  test('polls a pending payment until its outcome is known, and then reloads the activation', async () => {
    const api = await openAndPay({ [pay]: pendingPayment, [resumePaymentCall]: pendingPayment })
    expect(confirming()).not.toBeNull()
    expect(screen.queryByRole('button', { name: /^ACTIVATE/ })).toBeNull()
    expect(timesAsked(api)).toBe(0)
    await pass(1_000)
    expect(timesAsked(api)).toBe(1)
    expect(findCalls(api, resumePaymentCall)[0]).toMatchObject({ body: {} })
    expect(confirming()).not.toBeNull()
    Object.assign(api.replies, { [resumePaymentCall]: paid, [reloadCall]: activatingActivation })
    await pass(5_000)
    expect(timesAsked(api)).toBe(2)
    await expectEventually(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(1)
  })

  test('shows why a pending payment was refused, with the card form still filled in', async () => {
    await openAndPay({ [pay]: pendingPayment, [resumePaymentCall]: paymentRefusal('Your card was declined.') })
    await pass(1_000)
    await expectEventually(alert).toBe('Your card was declined.')
    expect(confirming()).toBeNull()
    expect(cardField('Card number').value).toBe('4111 1111 1111 1111')
    expect(activateButton().disabled).toBe(false)
  })
})

describe('visitors who return to a pending payment', () => {
  test('polls a pending payment automatically once the visitor has returned', async () => {
    const api = await openCheckout({ [resumePaymentCall]: pendingPayment }, waitingToPay)
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    expect(timesAsked(api)).toBe(1)
    Object.assign(api.replies, { [resumePaymentCall]: paid, [reloadCall]: activatingActivation })
    await pass(5_000)
    await expectEventually(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(0)
  })

  test('tells a returning visitor that the payment was refused, and lets them pay again', async () => {
    const api = await openCheckout(
      { [resumePaymentCall]: paymentRefusal('Your card was declined.'), [pay]: activatingActivation },
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
    const api = await openCheckout({ [resumePaymentCall]: pendingPayment }, waitingToPay)
    Object.assign(api.replies, { [resumePaymentCall]: paid, [reloadCall]: noActivationError })
    await pass(1_000)
    await expectEventually(() => location.pathname).toBe('/activate/')
  })
})

test('polls a payment that another tab has already sent, without showing an error', async () => {
  const api = await openCheckout({ [pay]: new ApiError(409, {}), [resumePaymentCall]: pendingPayment })
  api.replies[reloadCall] = waitingToPay
  fillInCard()
  await payAgain(api)
  await expectEventually(confirming).not.toBeNull()
  await pass(1_000)
  expect(timesAsked(api)).toBe(1)
  expect(screen.queryByRole('alert')).toBeNull()
})
