import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import {
  findCalls,
  getCardField,
  pendingPayment,
  listIdempotencyKeys,
  openAndPay,
  pay,
  paymentRefusal,
  toPay,
  activationInProgress,
} from '#quality/support/checkout.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import { createFakeApi, openPortal, testBootstrap } from '#quality/support/open-portal.tsx'
import { activationPages } from './activation.pages.ts'

withFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('payments while the server is overloaded', () => {
  const busy = new ApiError(503, undefined)

  test('retries a payment with the same idempotency key at most twice while the server is overloaded', async () => {
    const answers = [busy, busy, activationInProgress]
    const api = await openAndPay({ [pay]: () => answers.shift() })
    await pass(7_000)
    expect(listIdempotencyKeys(api)).toHaveLength(2)
    await pass(7_000)
    await expectEventually(() => location.pathname).toBe('/activate/processing/')
    expect(new Set(listIdempotencyKeys(api)).size).toBe(1)
    expect(listIdempotencyKeys(api)).toHaveLength(3)
  })

  test('does not retry a payment once the customer has left the page', async () => {
    const api = await openAndPay({ [pay]: busy })
    await expectEventually(() => listIdempotencyKeys(api).length).toBe(1)
    history.replaceState(null, '', '/activate/plan/')
    await pass(60_000)
    expect(listIdempotencyKeys(api)).toHaveLength(1)
  })

  test('shows an error after the third failed attempt to pay', async () => {
    const api = await openAndPay({ [pay]: busy })
    await pass(14_000)
    await expectEventually(() => screen.queryByRole('alert')?.textContent).toBe(formMessages.server)
    await pass(60_000)
    expect(listIdempotencyKeys(api)).toHaveLength(3)
  })
})

describe('the idempotency key for an activation payment', () => {
  test("the idempotency key stays the same while the payment's outcome is unknown, even after a reload", async () => {
    const before = await openAndPay({ [pay]: pendingPayment })
    cleanup()
    const after = await openAndPay({ [pay]: activationInProgress })
    expect(listIdempotencyKeys(after)).toEqual(listIdempotencyKeys(before))
  })

  test('the idempotency key changes after a refused payment', async () => {
    const before = await openAndPay({ [pay]: paymentRefusal('No.') })
    cleanup()
    const after = await openAndPay({ [pay]: activationInProgress })
    expect(listIdempotencyKeys(after)).not.toEqual(listIdempotencyKeys(before))
  })

  test('the payment for the next activation gets a new idempotency key', async () => {
    const before = await openAndPay({ [pay]: new ApiError(0, undefined) })
    cleanup()
    await openPortal(
      activationPages,
      '/activate/new/',
      createFakeApi({ 'POST /api/activate/sim/': toPay({ state: 'CREATED' }) }),
    )
    fireEvent.change(screen.getByRole('textbox', { name: 'Phone Number on the SIM pack' }), {
      target: { value: '021 505 0104' },
    })
    fireEvent.change(screen.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }), {
      target: { value: '1113' },
    })
    fireEvent.click(screen.getByRole('radio', { name: /^No, use/ }))
    fireEvent.click(screen.getByRole('button', { name: 'START' }))
    await expectEventually(() => location.pathname).toBe('/activate/signup/')
    cleanup()
    const after = await openAndPay({ [pay]: activationInProgress })
    expect(listIdempotencyKeys(after)).not.toEqual(listIdempotencyKeys(before))
  })
})

test('submitting the checkout twice before the response arrives sends only one payment, and BACK is disabled', async () => {
  const answer = Promise.withResolvers<object>()
  const api = await openAndPay({ [pay]: answer.promise })
  for (const name of [/ACTIVATING/, 'BACK'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
  fireEvent.submit(getCardField('Card number').form!)
  await pass(0)
  expect(findCalls(api, pay)).toHaveLength(1)
  answer.resolve(activationInProgress)
  await expectEventually(() => location.pathname).toBe('/activate/processing/')
})
