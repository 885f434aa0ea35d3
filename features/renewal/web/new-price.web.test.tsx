import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import {
  orderResponse,
  boughtOrder,
  getButton,
  openAsCustomer,
  findPageTitle,
  readOrderEndpoint,
  shortId,
  repliesWithoutCard,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls, getCardField, cardLabels, fillInCard, validCard } from '#quality/support/checkout.ts'
import { type FakeApi, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const send = 'POST /api/orders/recharge/'
const done = { [send]: orderResponse, [readOrderEndpoint]: boughtOrder }
const dearer = new ApiError(409, { total: '119.40' })
const says =
  '25 GB Prepay Plan costs $119.40 now, not $109.40. Nothing was charged. Press the button again if you still want it.'
const press = () => user.click(getButton(/^RENEW/))
const radio = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
const due = () => {
  const summary = within(screen.getByRole('complementary', { name: 'Summary' }))
  return [summary.getByText('Total due today').nextElementSibling?.textContent, summary.getByText(/GST/).textContent]
}
const shownIn = (api: FakeApi) =>
  findCalls(api, send).map(({ body }) => (body as { expected_total?: string }).expected_total)

async function open(replies: Record<string, Reply>) {
  const api = await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, replies)
  await screen.findByRole('button', { name: /^RENEW/ })
  return api
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

test('a changed price is shown and charged only after RENEW is pressed again, with a new idempotency key', async () => {
  const api = await open({ ...repliesWithoutCard, [send]: dearer })
  await user.click(radio('Now'))
  fillInCard()
  await press()
  const told = await screen.findByRole('alert')
  expect(told.textContent).toBe(says)
  await expect.poll(() => document.activeElement).toBe(told)
  expect(due()).toEqual(['$119.40', expect.stringContaining('including $15.57 GST')])
  expect(screen.getAllByText('$119.40').length).toBeGreaterThan(1)
  expect(screen.queryByText('$109.40')).toBeNull()
  expect(radio('Now').checked).toBe(true)
  expect(cardLabels.map((label) => getCardField(label).value)).toEqual(Object.values(validCard))
  expect(findCalls(api, send)).toHaveLength(1)

  Object.assign(api.replies, done)
  await press()
  await findPageTitle('Renewal Successful!')
  expect(shownIn(api)).toEqual(['109.40', '119.40'])
  const [first, second] = findCalls(api, send)
  expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  expect(second?.body).toMatchObject({ starts: 'now', product: 'plan-90-25gb' })
  // The list of plans is not reloaded, because a cached list would show the old price.
  expect(findCalls(api, 'GET /api/products/')).toHaveLength(1)
})

test("after a price change, choosing a different plan charges that plan's price and keeps the message about the change", async () => {
  const api = await open({ [send]: dearer })
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(says)
  await user.click(radio('Choose another plan'))
  await user.click(await screen.findByRole('radio', { name: /^10 GB/ }))
  expect(due()[0]).toBe('$69.40')
  expect(screen.getByRole('alert').textContent).toBe(says)
  Object.assign(api.replies, done)
  await press()
  await findPageTitle('Renewal Successful!')
  expect(shownIn(api)).toEqual(['109.40', '69.40'])
})
