import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import {
  bought,
  boughtOrder,
  button,
  heading,
  inDoubt,
  openAsCustomer,
  readBought,
  resume,
  shortId,
} from '#quality/support/buying.ts'
import { callsOf } from '#quality/support/checkout.ts'
import { expectSoon, onFakeTime, pass } from '#quality/support/fake-time.ts'
import { type FakeApi, type Reply, testBootstrap } from '#quality/support/portal.tsx'
import { renewalPages } from './renewal.pages.ts'

const send = 'POST /api/orders/recharge/'
const success = '/services/renew/success/'
const confirming = () => heading(/confirming your renewal/)
const alert = () => screen.queryByRole('alert')?.textContent
const keysOf = (api: FakeApi) => callsOf(api, send).map(({ headers }) => headers['idempotency-key'])

async function open(replies: Record<string, Reply>): Promise<FakeApi> {
  const api = await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, {
    [readBought]: boughtOrder,
    ...replies,
  })
  await expectSoon(() => screen.queryByRole('button', { name: /^RENEW/ }) ?? confirming()).not.toBeNull()
  return api
}

async function press(api: FakeApi): Promise<void> {
  const before = callsOf(api, send).length
  fireEvent.click(button(/^RENEW/))
  await expectSoon(() => callsOf(api, send).length).toBe(before + 1)
  await pass(0)
}

async function openAndPay(replies: Record<string, Reply>): Promise<FakeApi> {
  const api = await open(replies)
  await press(api)
  return api
}

onFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('Idempotency-Key', () => {
  test('a renewal is repeated with the same idempotency key after a lost response, even after a reload', async () => {
    const before = await openAndPay({ [send]: new ApiError(0, undefined) })
    await press(before)
    cleanup()
    const after = await openAndPay({ [send]: bought })
    const [first] = keysOf(before)
    expect([...keysOf(before), ...keysOf(after)]).toEqual([first, first, first])
  })

  test('a renewal of another plan has another idempotency key', async () => {
    const api = await openAndPay({ [send]: new ApiError(0, undefined) })
    fireEvent.click(screen.getByRole('radio', { name: 'Choose another plan' }))
    await expectSoon(() => screen.queryByRole('radio', { name: /^10 GB/ })).not.toBeNull()
    fireEvent.click(screen.getByRole('radio', { name: /^10 GB/ }))
    await press(api)
    const [first, second] = keysOf(api)
    expect(second).not.toBe(first)
  })
})

test('pressing RENEW again sends nothing before the response or while the page is being left', async () => {
  const answer = Promise.withResolvers<object>()
  const api = await openAndPay({ [send]: answer.promise })
  const { form } = button(/RENEWING/)
  fireEvent.submit(form!)
  answer.resolve(bought)
  await pass(0)
  if (form!.isConnected) fireEvent.submit(form!)
  await expectSoon(() => location.pathname).toBe(success)
  expect(callsOf(api, send)).toHaveLength(1)
})

describe('undecided renewal', () => {
  test('polls an undecided renewal until its outcome is known, then shows its order', async () => {
    const api = await openAndPay({ [send]: inDoubt, [resume]: inDoubt })
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    expect(callsOf(api, resume)).toHaveLength(1)
    api.replies[resume] = bought
    await pass(5_000)
    await expectSoon(() => location.pathname).toBe(success)
    await expectSoon(() => screen.queryByText('FT0001')).not.toBeNull()
    expect(callsOf(api, send)).toHaveLength(1)
  })

  test('a page opened again polls an undecided renewal without any press', async () => {
    await openAndPay({ [send]: inDoubt, [resume]: inDoubt })
    cleanup()
    const api = await open({ [resume]: bought })
    expect(confirming()).not.toBeNull()
    await pass(1_000)
    await expectSoon(() => location.pathname).toBe(success)
    expect(callsOf(api, send)).toEqual([])
    cleanup()
    await open({})
    expect(confirming()).toBeNull()
  })

  test('shows the refusal of an undecided renewal in the form, and the next press is a new purchase', async () => {
    const api = await openAndPay({
      [send]: inDoubt,
      [resume]: new ApiError(400, { product: ['It could not be added.'] }),
    })
    await pass(1_000)
    await expectSoon(alert).toBe('It could not be added.')
    expect(document.activeElement?.textContent).toBe('It could not be added.')
    expect(button(/^RENEW/).disabled).toBe(false)
    await press(api)
    const [first, second] = keysOf(api)
    expect(second).not.toBe(first)
    cleanup()
    await open({ [resume]: inDoubt })
    expect(confirming()).not.toBeNull()
  })

  test('the page explains an undecided renewal after at most three minutes, and polls it again on request', async () => {
    const api = await openAndPay({ [send]: inDoubt, [resume]: inDoubt })
    await pass(180_000)
    expect(heading('This is taking longer than usual')).not.toBeNull()
    expect(screen.getByText(/You’ll either get your new plan or keep your money/)).toBeTruthy()
    api.replies[resume] = bought
    fireEvent.click(button('Check again'))
    await pass(1_000)
    await expectSoon(() => location.pathname).toBe(success)
  })
})
