import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { testProduct } from '#quality/support/activation-view.ts'
import { savedCard } from '#quality/support/purchase-fixtures.ts'
import {
  getActivateButton,
  findCalls,
  getCardField,
  cardLabels,
  fillInCard,
  validCard,
  listIdempotencyKeys,
  openCheckout,
  pay,
  activationEndpoint,
  toPay,
  voucherActivation,
  activationInProgress,
} from '#quality/support/checkout.ts'
import { type FakeApi, testBootstrap } from '#quality/support/open-portal.tsx'

const user = userEvent.setup()
const dearer = new ApiError(409, { total: '119.40' })
const at = (price: string) => toPay({ product: { ...testProduct, price }, balance_due: price })
const says = 'It costs $119.40 now, not $109.40. Nothing was charged. Press the button again if you still want it.'
const press = () => user.click(getActivateButton())
const averages = ['$39.80', '$40.35']
const amounts = () =>
  screen.getAllByText(/^\$[\d.]+$/).flatMap(({ textContent }) => (textContent === '$129.00' ? [] : [textContent]))
const shownIn = (api: FakeApi) =>
  findCalls(api, pay).map(({ body }) => (body as { expected_total: string }).expected_total)

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

test('shows a changed activation price and charges it only after a second press of ACTIVATE, with a new idempotency key', async () => {
  const api = await openCheckout({ [pay]: dearer })
  fillInCard()
  api.replies[activationEndpoint] = at('119.40')
  await press()
  const told = await screen.findByRole('alert')
  expect(told.textContent).toBe(says)
  await expect.poll(() => document.activeElement).toBe(told)
  expect(getActivateButton().textContent).toBe('ACTIVATE · PAY $119.40')
  expect(new Set(amounts())).toEqual(new Set(['$119.40', ...averages]))
  expect(cardLabels.map((label) => getCardField(label).value)).toEqual(Object.values(validCard))
  expect(findCalls(api, pay)).toHaveLength(1)

  api.replies[pay] = activationInProgress
  await press()
  await expect.poll(() => location.pathname).toBe('/activate/processing/')
  expect(shownIn(api)).toEqual(['109.40', '119.40'])
  expect(new Set(listIdempotencyKeys(api)).size).toBe(2)
})

test('shows the changed price even if the activation cannot be reloaded', async () => {
  const api = await openCheckout({ [pay]: dearer })
  fillInCard()
  api.replies[activationEndpoint] = new ApiError(0, undefined)
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(says)
  expect(new Set(amounts())).toEqual(new Set(['$119.40', ...averages]))
})

test('shows a plan that was chosen in another tab, with its price', async () => {
  const api = await openCheckout({ [pay]: dearer })
  fillInCard()
  api.replies[activationEndpoint] = { ...at('119.40'), plan_title: '60 GB Prepay Plan' }
  await press()
  await expect.poll(() => screen.queryAllByText(/60 GB Prepay Plan/)).not.toEqual([])
  expect(screen.getByRole('alert').textContent).toBe(says)
})

test('pressing ACTIVATE again pays the changed price with the saved card', async () => {
  const api = await openCheckout({
    [pay]: dearer,
    'GET /api/account/': signedInAccount({ credit_card_token: savedCard }),
  })
  api.replies[activationEndpoint] = at('119.40')
  await press()
  await screen.findByRole('alert')
  expect(screen.getByRole('group', { name: 'Your saved card' })).toBeTruthy()
  api.replies[pay] = activationInProgress
  await press()
  await expect.poll(() => shownIn(api)).toEqual(['109.40', '119.40'])
})

test('a voucher chosen in another tab replaces the card form', async () => {
  const api = await openCheckout({ [pay]: new ApiError(409, { total: '0.00' }) })
  fillInCard()
  api.replies[activationEndpoint] = voucherActivation()
  await press()
  expect(await screen.findByText('You will not be charged today.')).toBeTruthy()
  api.replies[pay] = activationInProgress
  await press()
  await expect.poll(() => shownIn(api)).toEqual(['109.40', '0.00'])
})
