import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import {
  orderResponse,
  boughtOrder,
  getButton,
  queryHeading,
  pendingResponse,
  openAsCustomer,
  readOrderEndpoint,
  resumeEndpoint,
  shortId,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls } from '#quality/support/checkout.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import { type FakeApi, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { renewalPages } from './renewal.pages.ts'

const send = 'POST /api/orders/recharge/'
const success = '/services/renew/success/'
const confirming = () => queryHeading(/confirming your renewal/)
const alert = () => screen.queryByRole('alert')?.textContent
const keysOf = (api: FakeApi) => findCalls(api, send).map(({ headers }) => headers['idempotency-key'])

async function open(replies: Record<string, Reply>): Promise<FakeApi> {
  const api = await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, {
    [readOrderEndpoint]: boughtOrder,
    ...replies,
  })
  await expectEventually(() => screen.queryByRole('button', { name: /^RENEW/ }) ?? confirming()).not.toBeNull()
  return api
}

async function press(api: FakeApi): Promise<void> {
  const before = findCalls(api, send).length
  fireEvent.click(getButton(/^RENEW/))
  await expectEventually(() => findCalls(api, send).length).toBe(before + 1)
  await pass(0)
}

async function openAndPay(replies: Record<string, Reply>): Promise<FakeApi> {
  const api = await open(replies)
  await press(api)
  return api
}

withFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('idempotency key of a renewal', () => {
  test('a renewal is repeated with the same idempotency key after a lost response, even after a reload', async () => {
    const before = await openAndPay({ [send]: new ApiError(0, undefined) })
    await press(before)
    cleanup()
    const after = await openAndPay({ [send]: orderResponse })
    const [first] = keysOf(before)
    expect([...keysOf(before), ...keysOf(after)]).toEqual([first, first, first])
  })

  test('choosing a different plan for a renewal uses a new idempotency key', async () => {
    const api = await openAndPay({ [send]: new ApiError(0, undefined) })
    fireEvent.click(screen.getByRole('radio', { name: 'Choose another plan' }))
    await expectEventually(() => screen.queryByRole('radio', { name: /^10 GB/ })).not.toBeNull()
    fireEvent.click(screen.getByRole('radio', { name: /^10 GB/ }))
    await press(api)
    const [first, second] = keysOf(api)
    expect(second).not.toBe(first)
  })
})

test('pressing RENEW again has no effect before the response arrives or while the next page opens', async () => {
  const answer = Promise.withResolvers<object>()
  const api = await openAndPay({ [send]: answer.promise })
  const { form } = getButton(/RENEWING/)
  fireEvent.submit(form!)
  answer.resolve(orderResponse)
  await pass(0)
  if (form!.isConnected) fireEvent.submit(form!)
  await expectEventually(() => location.pathname).toBe(success)
  expect(findCalls(api, send)).toHaveLength(1)
})

describe('renewals whose outcome is unknown', () => {
  test('polls an undecided renewal until its outcome is known, then shows its order', async () => {
    const api = await openAndPay({ [send]: pendingResponse, [resumeEndpoint]: pendingResponse })
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    expect(findCalls(api, resumeEndpoint)).toHaveLength(1)
    api.replies[resumeEndpoint] = orderResponse
    await pass(5_000)
    await expectEventually(() => location.pathname).toBe(success)
    await expectEventually(() => screen.queryByText('FT0001')).not.toBeNull()
    expect(findCalls(api, send)).toHaveLength(1)
  })

  test('the renewal page polls an undecided renewal automatically when the page is opened again', async () => {
    await openAndPay({ [send]: pendingResponse, [resumeEndpoint]: pendingResponse })
    cleanup()
    const api = await open({ [resumeEndpoint]: orderResponse })
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    await expectEventually(() => location.pathname).toBe(success)
    expect(findCalls(api, send)).toEqual([])
    cleanup()
    await open({})
    expect(confirming()).toBeNull()
  })

  test('when an undecided renewal is refused, the form shows the reason, and pressing RENEW starts a new purchase', async () => {
    const api = await openAndPay({
      [send]: pendingResponse,
      [resumeEndpoint]: new ApiError(400, { product: ['It could not be added.'] }),
    })
    await pass(1_000)
    await expectEventually(alert).toBe('It could not be added.')
    expect(document.activeElement?.textContent).toBe('It could not be added.')
    expect(getButton(/^RENEW/).disabled).toBe(false)
    await press(api)
    const [first, second] = keysOf(api)
    expect(second).not.toBe(first)
    cleanup()
    await open({ [resumeEndpoint]: pendingResponse })
    expect(confirming()).not.toBeNull()
  })

  test('after three minutes at most, the renewal page explains that the outcome is unknown, and polls again on request', async () => {
    const api = await openAndPay({ [send]: pendingResponse, [resumeEndpoint]: pendingResponse })
    await pass(180_000)
    expect(queryHeading('This is taking longer than usual')).not.toBeNull()
    expect(screen.getByText(/You’ll either get your new plan or keep your money/)).toBeTruthy()
    api.replies[resumeEndpoint] = orderResponse
    fireEvent.click(getButton('Check again'))
    await pass(1_000)
    await expectEventually(() => location.pathname).toBe(success)
  })
})
