import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import {
  boughtAddOn,
  orderResponse,
  getButton,
  openAsCustomer,
  findPageTitle,
  readOrderEndpoint,
  uuid,
  repliesWithoutCard,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls, getCardField, cardLabels, fillInCard, validCard } from '#quality/support/checkout.ts'
import { testBootstrap } from '#quality/support/open-portal.tsx'
import { addOnPages } from './addons.pages.ts'

const user = userEvent.setup()
const send = 'POST /api/orders/addons/'
const press = () => user.click(getButton('CONFIRM & PAY'))
const totals = () => screen.getAllByText(/^\$[\d.]+$/).map(({ textContent }) => textContent)

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

test('shows an add-on’s new price and charges it only once the button is pressed again, with a new idempotency key', async () => {
  const api = await openAsCustomer(addOnPages, `/services/${uuid}/addons/?product=extra-2gb&step=payment`, {
    ...repliesWithoutCard,
    [send]: new ApiError(409, { total: '12.00' }),
  })
  await expect.poll(() => screen.queryByRole('button', { name: 'CONFIRM & PAY' })).not.toBeNull()
  fillInCard()
  await user.click(screen.getByRole('checkbox', { name: 'Save this card for next time' }))
  await press()
  const told = await screen.findByRole('alert')
  expect(told.textContent).toBe(
    'Extra 2 GB costs $12.00 now, not $10.00. Nothing was charged. Press the button again if you still want it.',
  )
  await expect.poll(() => document.activeElement).toBe(told)
  expect([...new Set(totals())]).toEqual(['$12.00'])
  expect(cardLabels.map((label) => getCardField(label).value)).toEqual(Object.values(validCard))
  expect(findCalls(api, send)).toHaveLength(1)

  Object.assign(api.replies, { [send]: orderResponse, [readOrderEndpoint]: boughtAddOn })
  await press()
  await findPageTitle('Add-On Purchase Successful!')
  const [first, second] = findCalls(api, send)
  expect(first?.body).toMatchObject({ expected_total: '10.00', save_token: true })
  expect(second?.body).toMatchObject({ expected_total: '12.00', save_token: true })
  expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  // The products must not be fetched again, because a cached response would bring back the old price.
  expect(findCalls(api, 'GET /api/products/')).toHaveLength(1)
})

test('after an add-on’s price changes during payment, the add-on list shows the new price too', async () => {
  await openAsCustomer(addOnPages, `/services/${uuid}/addons/?product=extra-2gb&step=payment`, {
    [send]: new ApiError(409, { total: '12.00' }),
  })
  await expect.poll(() => screen.queryByRole('button', { name: 'CONFIRM & PAY' })).not.toBeNull()
  await press()
  await screen.findByRole('alert')
  await user.click(screen.getByRole('link', { name: 'Back' }))
  const chosen = await screen.findByRole('radio', { name: /^Extra 2 GB/ })
  expect(chosen.closest('label')?.textContent).toContain('$12.00')
})
