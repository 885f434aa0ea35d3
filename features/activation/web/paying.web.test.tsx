// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { noActivation } from '#testing/activation.ts'
import { activateButton, callsOf, cardBox, fillInCard, openCheckout, pay, reload, resume, toPay, underWay } from '#testing/checkout.ts'
import { expectSoon, fakeApi, type FakeApi, openPortal, pass, testBootstrap, withStatus } from '#testing/portal.tsx'
import { activationPages } from './activation.pages.ts'

const inDoubt = withStatus(202, { order_code: 'FT0001', retry: true })
const paid = { order_code: 'FT0001' }
const refusal = (sentence: string) => new ApiError(400, { __all__: [sentence] })
const waitingToPay = toPay({ order_code: 'FT0001', retry: true })

const timesPaid = (api: FakeApi) => callsOf(api, pay).length
const keys = (api: FakeApi) => callsOf(api, pay).map(({ headers }) => new Headers(headers).get('idempotency-key') ?? '')
const timesAsked = (api: FakeApi) => callsOf(api, resume).length
const confirming = () => screen.queryByRole('heading', { name: /confirming your payment/ })
const again = () => screen.queryByRole('button', { name: 'Check again' })
const alert = () => screen.queryByRole('alert')?.textContent

/** Presses ACTIVATE and waits until the call has left and its answer is there. */
async function press(api: FakeApi): Promise<void> {
  const before = timesPaid(api)
  fireEvent.click(activateButton())
  // The card is encrypted in real time.
  await expect.poll(() => timesPaid(api)).toBe(before + 1)
  await pass(0)
}

async function openAndPress(replies: Parameters<typeof openCheckout>[0]): Promise<FakeApi> {
  const api = await openCheckout(replies)
  fillInCard()
  await press(api)
  return api
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

describe('the Idempotency-Key', () => {
  test('is at most 64 characters, of its own for every purchase', async () => {
    const api = await openAndPress({ [pay]: refusal('No.') })
    await press(api)
    const [first, second] = keys(api)
    expect(first).toMatch(/^[\w-]{32,64}$/)
    expect(second).toMatch(/^[\w-]{32,64}$/)
    expect(second).not.toBe(first)
  })

  test.each([
    ['no answer', new ApiError(0, undefined)],
    ['a fault of the server', new ApiError(502, undefined)],
    ['too many tries', new ApiError(429, {})],
    ['a token that does not fit', new ApiError(403, {})],
    ['an activation that has moved on and back', new ApiError(409, {})],
  ])('stays the same after %s, also on a page opened anew', async (_, failure) => {
    const before = await openAndPress({ [pay]: failure })
    await press(before)
    cleanup()
    const after = await openAndPress({ [pay]: underWay })
    expect(new Set([...keys(before), ...keys(after)]).size).toBe(1)
    expect([timesPaid(before), timesPaid(after)]).toEqual([2, 1])
  })

  test('stays the same while the outcome is open, also on a page opened anew', async () => {
    const before = await openAndPress({ [pay]: inDoubt })
    cleanup()
    const after = await openAndPress({ [pay]: underWay })
    expect(keys(after)).toEqual(keys(before))
  })

  test('is another one after a refusal', async () => {
    const before = await openAndPress({ [pay]: refusal('No.') })
    cleanup()
    const after = await openAndPress({ [pay]: underWay })
    expect(keys(after)).not.toEqual(keys(before))
  })

  test('is another one after a success', async () => {
    const before = await openAndPress({ [pay]: underWay })
    cleanup()
    const after = await openAndPress({ [pay]: underWay })
    expect(keys(after)).not.toEqual(keys(before))
  })

  test('is another one once a payment in doubt was refused or accepted', async () => {
    const seen: string[] = []
    for (const outcome of [refusal('No.'), paid, paid]) {
      const api = await openAndPress({ [pay]: inDoubt, [resume]: outcome })
      await pass(1_000)
      seen.push(...keys(api))
      cleanup()
    }
    expect(new Set(seen).size).toBe(3)
  })

  test('is no help to the next activation: an answered step ends the purchase', async () => {
    const before = await openAndPress({ [pay]: new ApiError(0, undefined) })
    cleanup()
    await openPortal(activationPages, '/activate/new/', fakeApi({ 'POST /api/activate/sim/': toPay({ state: 'CREATED' }) }))
    fireEvent.change(screen.getByRole('textbox', { name: 'Phone Number on the SIM pack' }), { target: { value: '021 505 0104' } })
    fireEvent.change(screen.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }), { target: { value: '1113' } })
    fireEvent.click(screen.getByRole('radio', { name: /^No, use/ }))
    fireEvent.click(screen.getByRole('button', { name: 'START' }))
    await expectSoon(() => location.pathname).toBe('/activate/signup/')
    cleanup()
    const after = await openAndPress({ [pay]: underWay })
    expect(keys(after)).not.toEqual(keys(before))
  })

  test('is one for two presses where the browser keeps nothing', async () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied, clear: denied })
    const api = await openAndPress({ [pay]: new ApiError(0, undefined) })
    await press(api)
    api.replies[pay] = refusal('No.')
    await press(api)
    await press(api)
    const [first, second, third, fourth] = keys(api)
    expect([second, third]).toEqual([first, first])
    expect(fourth).not.toBe(first)
  })
})

test('a second press while the answer is awaited sends nothing', async () => {
  const answer = Promise.withResolvers<object>()
  const api = await openAndPress({ [pay]: answer.promise })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /ACTIVATING/ }).disabled).toBe(true)
  fireEvent.submit(cardBox('Card number').form!)
  await pass(0)
  expect(timesPaid(api)).toBe(1)
  answer.resolve(underWay)
  await expectSoon(() => location.pathname).toBe('/activate/processing/')
})

describe('a payment in doubt', () => {
  test('is asked about until it is known, and then the state is read again', async () => {
    const api = await openAndPress({ [pay]: inDoubt, [resume]: inDoubt })
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
    await openAndPress({ [pay]: inDoubt, [resume]: refusal('Your card was declined.') })
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
    const api = await openAndPress({ [pay]: inDoubt, [resume]: failure })
    await pass(1_000)
    expect(confirming()).not.toBeNull()
    Object.assign(api.replies, { [resume]: paid, [reload]: underWay })
    await pass(5_000)
    await expectSoon(() => location.pathname).toBe('/activate/processing/')
    expect(timesAsked(api)).toBe(2)
  })

  test('that nobody knows of is not refused: the key stays', async () => {
    const before = await openAndPress({ [pay]: inDoubt, [resume]: new ApiError(404, {}) })
    await pass(1_000)
    await expectSoon(alert).toBe(formMessages.server)
    expect(timesAsked(before)).toBe(1)
    await press(before)
    const [first, second] = keys(before)
    expect(second).toBe(first)
  })

  test('can be asked about once more when two minutes have told nothing', async () => {
    const api = await openAndPress({ [pay]: inDoubt, [resume]: inDoubt })
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
    const api = await openAndPress({ [pay]: inDoubt, [resume]: inDoubt })
    await pass(180_000)
    api.replies[resume] = refusal('It could not be confirmed.')
    fireEvent.click(again()!)
    await pass(1_000)
    await expectSoon(alert).toBe('It could not be confirmed.')
    expect(activateButton().disabled).toBe(false)
  })

  test('is asked about no more by a page that is gone', async () => {
    const api = await openAndPress({ [pay]: inDoubt, [resume]: inDoubt })
    await pass(1_000)
    cleanup()
    await pass(180_000)
    expect(timesAsked(api)).toBe(1)
  })
})

describe('whoever comes back while the outcome is open', () => {
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
    await press(api)
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
  await press(api)
  await expectSoon(confirming).not.toBeNull()
  await pass(1_000)
  expect(timesAsked(api)).toBe(1)
  expect(screen.queryByRole('alert')).toBeNull()
})
