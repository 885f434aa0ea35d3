import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { findCalls, toPay, voucherActivation } from '#quality/support/checkout.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { Activation } from '../activation.contract.ts'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()
const restart = 'POST /api/activate/activate/'
const tryAgain = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Try Again' })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

const held = toPay({ state: 'ERROR_CAN_RETRY' })
const failed = toPay({ state: 'PERMANENTLY_FAILED' })
const underWay = toPay({ state: 'ACTIVATING' })

async function open(now: Activation | ApiError, replies: Record<string, Reply> = {}, path = '/activate/') {
  const api = createFakeApi({ 'GET /api/activate/': now, 'GET /api/activate/activate/': underWay, ...replies })
  await openPortal(activationPages, path, api)
  await heading('Something Went Wrong')
  return api
}

test.each<[string, Activation, RegExp[], RegExp[]]>([
  ['is temporary', held, [/on hold/, /will not charge you twice/], [/start over/, /voucher/i]],
  [
    'is temporary and was paid for with a voucher',
    voucherActivation({ state: 'ERROR_CAN_RETRY' }),
    [/voucher is reserved/, /not use it twice/],
    [/start over/, /payment/],
  ],
  ['is permanent', failed, [/not been charged/, /nothing was activated/, /start over/], [/reserved/, /voucher/i]],
  [
    'is permanent and was paid for with a voucher',
    voucherActivation({ state: 'PERMANENTLY_FAILED' }),
    [/voucher has not been used/, /start over/],
    [/reserved/],
  ],
])(
  'for an activation failure that %s, explains what happens to the payment or voucher',
  async (_, now, says, doesNot) => {
    await open(now)
    const text = document.querySelector('main')?.textContent ?? ''
    expect(text).toContain("Unfortunately, something didn't go as planned.")
    expect(text).toContain('Please try again later.')
    for (const words of says) expect(text).toMatch(words)
    for (const words of doesNot) expect(text).not.toMatch(words)
  },
)

test.each([
  ['temporary', held],
  ['permanent', failed],
])('for a %s failure, shows the order code', async (_, activation) => {
  await open({ ...activation, order_code: 'FT0123456789' })
  expect(screen.getByText('Order code FT0123456789')).toBeDefined()
})

test('Try Again retries the activation and opens its progress page', async () => {
  const answer = Promise.withResolvers<Activation>()
  const api = await open(held, { [restart]: answer.promise })
  await user.click(tryAgain())
  expect(screen.getByRole('button', { name: 'Trying Again' }).getAttribute('aria-busy')).toBe('true')
  answer.resolve(underWay)
  await expect.poll(() => location.pathname).toBe('/activate/processing/')
  await heading('Starting... Connecting to the Network')
  expect(findCalls(api, restart)).toMatchObject([{ body: {} }])
  expect(findCalls(api, 'GET /api/activate/')).toHaveLength(1)
})

test('Try Again after a permanent failure starts over without briefly showing a different failure message', async () => {
  const api = await open(failed, { [restart]: null })
  const seen = new Set<string>()
  const watch = new MutationObserver(() => seen.add(document.querySelector('main')?.textContent ?? ''))
  watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  await user.click(tryAgain())
  await heading('Activate your SIM')
  watch.disconnect()
  expect(location.pathname).toBe('/activate/')
  expect(findCalls(api, restart)).toHaveLength(1)
  expect([...seen].join()).not.toMatch(/reserved/)
})

test.each([
  ['no response', new ApiError(0, undefined), formMessages.noAnswer],
  ['a server error', new ApiError(500, undefined), formMessages.server],
  ['too many attempts', new ApiError(429, {}), formMessages.tooMany],
])('Try Again shows an error when it fails with %s, and can be pressed again', async (_, failure, message) => {
  const api = await open(held, { [restart]: failure })
  await user.click(tryAgain())
  await expect.poll(() => screen.getByRole('alert').textContent).toBe(message)
  expect(tryAgain().getAttribute('aria-busy')).toBeNull()
  api.replies[restart] = underWay
  await user.click(tryAgain())
  await expect.poll(() => location.pathname).toBe('/activate/processing/')
})

test('if the activation fails to load, the error page says nothing about the payment and Try Again reloads the page', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  const api = await open(new ApiError(500, undefined), {}, '/activate/error/')
  expect(document.querySelector('main')?.textContent).not.toMatch(/reserved|charged/)
  await user.click(tryAgain())
  expect(reload).toHaveBeenCalledOnce()
  expect(findCalls(api, restart)).toEqual([])
})

test('the error page explains the failure even if the activation loads later than the page', async () => {
  await open(held, {}, '/activate/error/')
  expect(await screen.findByText(/on hold/)).toBeTruthy()
})
