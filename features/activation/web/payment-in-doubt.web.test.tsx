import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { noActivation } from '#quality/support/activation.ts'
import {
  activateButton,
  callsOf,
  cardBox,
  fillInCard,
  inDoubt,
  openAndPay,
  openCheckout,
  pay,
  payAgain,
  refusal,
  reload,
  resume,
  toPay,
  underWay,
} from '#quality/support/checkout.ts'
import { expectSoon, onFakeTime, pass } from '#quality/support/fake-time.ts'
import { type FakeApi, testBootstrap } from '#quality/support/portal.tsx'

const paid = { order_code: 'FT0001' }
const waitingToPay = toPay({ order_code: 'FT0001', retry: true })

const timesPaid = (api: FakeApi) => callsOf(api, pay).length
const timesAsked = (api: FakeApi) => callsOf(api, resume).length
const confirming = () => screen.queryByRole('heading', { name: /confirming your payment/ })
const alert = () => screen.queryByRole('alert')?.textContent

onFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('a payment in doubt', () => {
  test('is asked about until it is known, and then the state is read again', async () => {
    const api = await openAndPay({ [pay]: inDoubt, [resume]: inDoubt })
    expect(confirming()).not.toBeNull()
    expect(screen.queryByRole('button', { name: /^ACTIVATE/ })).toBeNull()
    expect(timesAsked(api)).toBe(0)
    await pass(1_000)
    expect(timesAsked(api)).toBe(1)
    expect(callsOf(api, resume)[0]).toMatchObject({ body: {} })
    expect(confirming()).not.toBeNull()
    Object.assign(api.replies, { [resume]: paid, [reload]: underWay })
    await pass(5_000)
    expect(timesAsked(api)).toBe(2)
    await expectSoon(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(1)
  })

  test('that is refused says so in the form, where everything still stands', async () => {
    await openAndPay({ [pay]: inDoubt, [resume]: refusal('Your card was declined.') })
    await pass(1_000)
    await expectSoon(alert).toBe('Your card was declined.')
    expect(confirming()).toBeNull()
    expect(cardBox('Card number').value).toBe('4111 1111 1111 1111')
    expect(activateButton().disabled).toBe(false)
  })
})

describe('a visitor who comes back while the outcome is open', () => {
  test('waits for it without a press', async () => {
    const api = await openCheckout({ [resume]: inDoubt }, waitingToPay)
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    expect(timesAsked(api)).toBe(1)
    Object.assign(api.replies, { [resume]: paid, [reload]: underWay })
    await pass(5_000)
    await expectSoon(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(0)
  })

  test('is told of a refusal in the form, and may pay anew', async () => {
    const api = await openCheckout({ [resume]: refusal('Your card was declined.'), [pay]: underWay }, waitingToPay)
    await pass(1_000)
    await expectSoon(alert).toBe('Your card was declined.')
    expect(timesAsked(api)).toBe(1)
    fillInCard()
    await payAgain(api)
    await expectSoon(() => location.pathname).toBe('/activate/processing/')
  })

  test('may have been overtaken: an activation that is gone leads to the start', async () => {
    const api = await openCheckout({ [resume]: inDoubt }, waitingToPay)
    Object.assign(api.replies, { [resume]: paid, [reload]: noActivation })
    await pass(1_000)
    await expectSoon(() => location.pathname).toBe('/activate/')
  })
})

test('a press that another tab has beaten to it waits for that payment', async () => {
  const api = await openCheckout({ [pay]: new ApiError(409, {}), [resume]: inDoubt })
  api.replies[reload] = waitingToPay
  fillInCard()
  await payAgain(api)
  await expectSoon(confirming).not.toBeNull()
  await pass(1_000)
  expect(timesAsked(api)).toBe(1)
  expect(screen.queryByRole('alert')).toBeNull()
})
