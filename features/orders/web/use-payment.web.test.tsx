import { act, cleanup, render } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { ApiProvider } from '#kit/web/api.tsx'
import { findCalls, pendingPayment, paymentRefusal, resumePaymentEndpoint } from '#quality/support/checkout.ts'
import { withFakeTime, pass } from '#quality/support/fake-time.ts'
import { createFakeApi, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { orderMessages } from '../orders.contract.ts'
import { type PaymentSubmission, type ShownPrice, usePayment } from './use-payment.ts'

const paid = { order_code: 'FT0001' }
const newPrice = new ApiError(409, { total: '119.40' })
const shown: ShownPrice = { price: '109.40', title: '25 GB Prepay Plan' }

let payment: PaymentSubmission
const capture = (current: PaymentSubmission) => (payment = current)

function Example(options: Parameters<typeof usePayment>[0]) {
  capture(usePayment(options))
  return null
}

function openPage({ purchase = 'a-plan', orderCode = null as string | null, answer = paid as Reply } = {}) {
  const outcomes: unknown[] = []
  const api = createFakeApi({ [resumePaymentEndpoint]: answer })
  render(
    <ApiProvider api={api}>
      <Example
        purchase={purchase}
        inDoubt={orderCode}
        onPaid={() => outcomes.push('paid')}
        onRefused={(errors) => outcomes.push(errors)}
      />
    </ApiProvider>,
  )
  const answerWith = (next: Reply) => (api.replies[resumePaymentEndpoint] = next)
  return { outcomes, answerWith, timesAsked: () => findCalls(api, resumePaymentEndpoint).length }
}

async function payAndGetKey(outcome: number | ApiError): Promise<string> {
  let key = ''
  const send = async (headers: Record<string, string>) => {
    key = headers['idempotency-key'] ?? ''
    if (outcome instanceof Error) throw outcome
    return { status: outcome }
  }
  await payment.pay(undefined, send).catch(() => {})
  return key
}

withFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('a purchase’s idempotency key', () => {
  test.each([
    ['no answer', new ApiError(0, undefined)],
    ['a server error', new ApiError(502, undefined)],
    ['too many requests', new ApiError(429, {})],
    ['a rejected CSRF token', new ApiError(403, {})],
    ['a conflict that names no price', new ApiError(409, { __all__: ['This page is out of date.'] })],
    ['an outcome that is not known yet', 202],
  ])('the idempotency key stays the same after %s, even after a reload', async (_, outcome) => {
    openPage()
    const first = await payAndGetKey(outcome)
    expect(first).toMatch(/^[\w-]{32,64}$/)
    expect(await payAndGetKey(outcome)).toBe(first)
    cleanup()
    openPage()
    expect(await payAndGetKey(200)).toBe(first)
  })

  test.each([
    ['a refused payment', paymentRefusal('Your card was declined.')],
    ['a paid order', 200],
    ['a price that has changed', newPrice],
  ])('the idempotency key is replaced after %s', async (_, outcome) => {
    openPage()
    const first = await payAndGetKey(outcome)
    const second = await payAndGetKey(200)
    expect(second).toMatch(/^[\w-]{32,64}$/)
    expect(second).not.toBe(first)
  })

  test.each([
    ['is replaced once an order in doubt turns out to be paid', paid, true],
    ['is replaced once an order in doubt turns out to be refused', paymentRefusal('It was cancelled.'), true],
    ['stays the same when the server does not know the order in doubt', new ApiError(404, {}), false],
  ])('the idempotency key %s', async (_, answer, isReplaced) => {
    openPage()
    const first = await payAndGetKey(202)
    cleanup()
    const { outcomes } = openPage({ orderCode: 'FT0001', answer })
    await pass(1_000)
    expect(outcomes).toHaveLength(1)
    expect((await payAndGetKey(200)) !== first).toBe(isReplaced)
  })

  test('two purchases in the same tab have different idempotency keys', async () => {
    openPage()
    const first = await payAndGetKey(202)
    cleanup()
    openPage({ purchase: 'another-plan' })
    expect(await payAndGetKey(202)).not.toBe(first)
  })
})

describe('polling an order with an unknown outcome', () => {
  test.each([
    ['an outcome that is still open', pendingPayment],
    ['no answer', new ApiError(0, undefined)],
    ['a server error', new ApiError(500, undefined)],
    ['too many requests', new ApiError(429, {})],
    ['a conflict', new ApiError(409, {})],
  ])('an undecided order is polled again after %s, until it is paid', async (_, answer) => {
    const { outcomes, answerWith, timesAsked } = openPage({ orderCode: 'FT0001', answer })
    await pass(999)
    expect(timesAsked()).toBe(0)
    await pass(1)
    expect(timesAsked()).toBe(1)
    expect(outcomes).toEqual([])
    answerWith(paid)
    await pass(600_000)
    expect(timesAsked()).toBe(2)
    expect(outcomes).toEqual(['paid'])
  })

  test('the refusal of an order is reported once, and polling then stops', async () => {
    const answer = paymentRefusal('Your card was declined.')
    const { outcomes, timesAsked } = openPage({ orderCode: 'FT0001', answer })
    await pass(600_000)
    expect(outcomes).toEqual([{ __all__: ['Your card was declined.'] }])
    expect(timesAsked()).toBe(1)
  })

  test('an undecided order is polled for two minutes, and after that only when the customer asks', async () => {
    const { outcomes, answerWith, timesAsked } = openPage({ orderCode: 'FT0001', answer: pendingPayment })
    await pass(119_000)
    expect(payment.isPaused).toBe(false)
    await pass(30_000)
    expect(payment.isPaused).toBe(true)
    const asked = timesAsked()
    await pass(600_000)
    expect(timesAsked()).toBe(asked)

    act(() => payment.askAgain())
    expect(payment.isPaused).toBe(false)
    answerWith(paid)
    await pass(1_000)
    expect(timesAsked()).toBe(asked + 1)
    expect(outcomes).toEqual(['paid'])
  })

  test('an undecided order is no longer polled after the customer leaves the page', async () => {
    const { outcomes, timesAsked } = openPage({ orderCode: 'FT0001', answer: pendingPayment })
    await pass(1_000)
    cleanup()
    await pass(180_000)
    expect(timesAsked()).toBe(1)
    expect(outcomes).toEqual([])
  })
})

describe('price changes after the page was displayed', () => {
  const rejectWith = (failure: ApiError) => async (): Promise<{ status: number }> => {
    throw failure
  }

  test('after a price change, the page receives the new price and the form says that nothing was charged', async () => {
    openPage()
    const prices: string[] = []
    const onNewPrice = (price: string) => void prices.push(price)
    await expect(payment.pay({ ...shown, onNewPrice }, rejectWith(newPrice))).rejects.toMatchObject({
      status: 400,
      body: { __all__: [orderMessages.newPrice('119.40', '109.40', '25 GB Prepay Plan')] },
    })
    expect(prices).toEqual(['119.40'])
  })

  test.each([
    ['a conflict that names no price', new ApiError(409, { __all__: ['This page is out of date.'] })],
    ['a total in another kind of error', new ApiError(400, { total: '119.40' })],
  ])('the price does not count as changed after %s', async (_, failure) => {
    openPage()
    await expect(payment.pay(shown, rejectWith(failure))).rejects.toBe(failure)
  })
})
