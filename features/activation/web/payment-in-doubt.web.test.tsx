import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { noActivation } from '#testing/activation.ts'
import {
  activateButton,
  callsOf,
  cardBox,
  fillInCard,
  inDoubt,
  keysOf,
  openAndPay,
  openCheckout,
  pay,
  payAgain,
  refusal,
  reload,
  resume,
  toPay,
  underWay,
} from '#testing/checkout.ts'
import { expectSoon, onFakeTime, pass } from '#testing/fake-time.ts'
import { type FakeApi, testBootstrap } from '#testing/portal.tsx'

const paid = { order_code: 'FT0001' }
const waitingToPay = toPay({ order_code: 'FT0001', retry: true })

const timesPaid = (api: FakeApi) => callsOf(api, pay).length
const timesAsked = (api: FakeApi) => callsOf(api, resume).length
const confirming = () => screen.queryByRole('heading', { name: /confirming your payment/ })
const again = () => screen.queryByRole('button', { name: 'Check again' })
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

  test.each([
    ['no answer', new ApiError(0, undefined)],
    ['a fault of the server', new ApiError(500, undefined)],
    ['too many questions', new ApiError(429, {})],
  ])('is asked about again after %s', async (_, failure) => {
    const api = await openAndPay({ [pay]: inDoubt, [resume]: failure })
    await pass(1_000)
    expect(confirming()).not.toBeNull()
    Object.assign(api.replies, { [resume]: paid, [reload]: underWay })
    await pass(5_000)
    await expectSoon(() => location.pathname).toBe('/activate/processing/')
    expect(timesAsked(api)).toBe(2)
  })

  test('that is unknown is not refused: the key stays', async () => {
    const before = await openAndPay({ [pay]: inDoubt, [resume]: new ApiError(404, {}) })
    await pass(1_000)
    await expectSoon(alert).toBe(formMessages.server)
    expect(timesAsked(before)).toBe(1)
    await payAgain(before)
    const [first, second] = keysOf(before)
    expect(second).toBe(first)
  })

  test('can be asked about once more when two minutes have told nothing', async () => {
    const api = await openAndPay({ [pay]: inDoubt, [resume]: inDoubt })
    await pass(119_000)
    expect(again()).toBeNull()
    await pass(30_000)
    expect(confirming()).toBeNull()
    const asked = timesAsked(api)
    await pass(600_000)
    expect(timesAsked(api)).toBe(asked)

    fireEvent.click(again()!)
    await pass(0)
    expect(confirming()).not.toBeNull()
    Object.assign(api.replies, { [resume]: paid, [reload]: underWay })
    await pass(1_000)
    expect(timesAsked(api)).toBe(asked + 1)
    await expectSoon(() => location.pathname).toBe('/activate/processing/')
    expect(timesPaid(api)).toBe(1)
  })

  test('that is refused when asked about once more says so in the form', async () => {
    const api = await openAndPay({ [pay]: inDoubt, [resume]: inDoubt })
    await pass(180_000)
    api.replies[resume] = refusal('It could not be confirmed.')
    fireEvent.click(again()!)
    await pass(1_000)
    await expectSoon(alert).toBe('It could not be confirmed.')
    expect(activateButton().disabled).toBe(false)
  })

  test('is asked about no more by a page that is gone', async () => {
    const api = await openAndPay({ [pay]: inDoubt, [resume]: inDoubt })
    await pass(1_000)
    cleanup()
    await pass(180_000)
    expect(timesAsked(api)).toBe(1)
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
