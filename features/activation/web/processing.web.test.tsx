import { cleanup, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { noActivationError } from '#quality/support/activation-view.ts'
import { findCalls, toPay } from '#quality/support/checkout.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import { createFakeApi, type FakeApi, openPortal, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import type { Activation } from '../activation.contract.ts'
import type { ActivationStage } from '../activation.states.ts'
import { activationPages } from './activation.pages.ts'

const read = 'GET /api/activate/'
const poll = 'GET /api/activate/activate/'
const messages = [
  'Starting... Connecting to the Network',
  'Activating',
  'Adding Prepay Plan',
  'Processing Payment',
  'Just a few moments left',
]

const at = (activation_state: ActivationStage, change: Partial<Activation> = {}) =>
  toPay({ state: 'ACTIVATING', activation_state, ...change })
const message = () => screen.getByRole('heading', { level: 1 }).textContent
const polls = (api: FakeApi) => findCalls(api, poll).length
const trouble = () => screen.queryByText(/can’t reach our server/)
const slowNotice = () => screen.queryByText(/taking a little longer/)

async function open(now: Activation, then: Reply = now): Promise<FakeApi> {
  const api = createFakeApi({ [read]: now, [poll]: then, 'GET /api/account/': { authenticated: false, user: null } })
  await openPortal(activationPages, '/activate/', api)
  await expectEventually(() => messages.includes(message() ?? '')).toBe(true)
  return api
}

withFakeTime(testBootstrap.serverTime)

describe('polling an activation in progress', () => {
  test('polls an activation every second until it starts, without changing the message', async () => {
    const api = await open(at('NOT_STARTED'))
    expect(message()).toBe('Starting... Connecting to the Network')
    await pass(900)
    expect(polls(api)).toBe(0)
    await pass(100)
    expect(polls(api)).toBe(1)
    await pass(4_050)
    expect(polls(api)).toBe(5)
    expect(message()).toBe('Starting... Connecting to the Network')
  })

  test('once the activation has started, polls every 3 seconds and moves on to the next message until the last is reached', async () => {
    const api = await open(at('NOT_STARTED'), at('ACTIVATING_SIM'))
    const seen = [message()]
    await pass(1_005)
    expect(polls(api)).toBe(1)
    seen.push(message())
    for (const nth of [2, 3, 4, 5, 6, 7]) {
      await pass(2_900)
      expect(polls(api)).toBe(nth - 1)
      await pass(102)
      expect(polls(api)).toBe(nth)
      seen.push(message())
    }
    expect(seen).toEqual([...messages, messages.at(-1), messages.at(-1), messages.at(-1)])
  })

  test.each<[ActivationStage, string]>([
    ['ACTIVATING_SIM', 'Activating'],
    ['ADDING_PLAN', 'Adding Prepay Plan'],
    ['PROCESSING_PAYMENT', 'Processing Payment'],
    ['FINISHING', 'Just a few moments left'],
  ])(
    'the message never falls behind the known stage: %s shows "%s", at first and after a poll',
    async (stage, text) => {
      await open(at(stage))
      expect(message()).toBe(text)
      cleanup()
      await open(at('NOT_STARTED'), at(stage))
      await pass(1_005)
      expect(message()).toBe(text)
    },
  )

  test('keeps polling an activation while the page is hidden', async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const api = await open(at('ADDING_PLAN'))
    await pass(9_030)
    expect(polls(api)).toBe(3)
  })

  test('stops polling an activation when the visitor leaves the page', async () => {
    const api = await open(at('ADDING_PLAN'))
    cleanup()
    await pass(60_000)
    expect(polls(api)).toBe(0)
  })
})

describe('failed attempts to poll an activation', () => {
  test('keeps the message when polls fail, and after several failed polls shows a warning until one succeeds', async () => {
    const api = await open(at('ACTIVATING_SIM'), new ApiError(0, undefined))
    await pass(3_005)
    expect(polls(api)).toBe(1)
    expect([message(), trouble()]).toEqual(['Activating', null])
    await pass(6_010)
    expect(polls(api)).toBe(3)
    expect(message()).toBe('Activating')
    expect(trouble()).not.toBeNull()
    api.replies[poll] = at('ACTIVATING_SIM')
    await pass(3_010)
    expect(message()).toBe('Adding Prepay Plan')
    expect(trouble()).toBeNull()
  })

  test('shows a warning and keeps polling while the server answers 503', async () => {
    const api = await open(at('NOT_STARTED'), new ApiError(503, undefined))
    await pass(12_020)
    expect(trouble()).not.toBeNull()
    expect(message()).toBe('Starting... Connecting to the Network')
    expect(polls(api)).toBeGreaterThan(3)
  })

  test('shows the error page when the very first poll of an activation fails', async () => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    await openPortal(activationPages, '/activate/processing/', createFakeApi({ [poll]: new ApiError(500, undefined) }))
    await expectEventually(message).toBe('Something Went Wrong')
    screen.getByRole('button', { name: 'Try Again' }).click()
    expect(reload).toHaveBeenCalledOnce()
  })
})

test('the progress page shows the order code, so that the visitor can tell it to staff', async () => {
  await open(at('ACTIVATING_SIM', { order_code: 'FT0123456789' }))
  expect(screen.getByText('Order code FT0123456789')).toBeDefined()
  await pass(10_000)
  expect(slowNotice()?.textContent).toMatch(/ · Order code FT0123456789$/)
})

test('after 10 seconds, the progress page says that the activation is taking longer and an email will follow', async () => {
  await open(at('ACTIVATING_SIM'))
  await pass(9_800)
  expect(slowNotice()).toBeNull()
  await pass(200)
  expect(slowNotice()?.textContent).toContain('ana@example.nz')
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each<[string, Reply, string, string]>([
  ['a success', at('FINISHING', { state: 'SUCCESSFUL' }), '/activate/success/', 'Activation Complete'],
  ['a temporary failure', at('NOT_STARTED', { state: 'ERROR_CAN_RETRY' }), '/activate/error/', 'Something Went Wrong'],
  [
    'a permanent failure',
    at('NOT_STARTED', { state: 'PERMANENTLY_FAILED' }),
    '/activate/error/',
    'Something Went Wrong',
  ],
  ['an activation that no longer exists', noActivationError, '/activate/', 'Activate your SIM'],
])('%s leads to the next page and stops the polling', async (_, end, path, title) => {
  const api = await open(at('ADDING_PLAN'), end)
  await pass(3_005)
  await expectEventually(() => location.pathname).toBe(path)
  await expectEventually(message).toBe(title)
  await pass(60_000)
  expect(polls(api)).toBe(1)
})
