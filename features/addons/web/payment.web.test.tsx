import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import {
  boughtAddOn,
  orderResponse,
  getButton,
  queryHeading,
  pendingResponse,
  openAsCustomer,
  findPageTitle,
  readOrderEndpoint,
  refusalError,
  resumeEndpoint,
  uuid,
  repliesWithExpiredCard,
  repliesWithoutCard,
} from '#quality/support/purchase-fixtures.ts'
import { findCalls, getCardField, cardLabels, fillInCard, decryptSealedCard } from '#quality/support/checkout.ts'
import { usageSummary } from '#quality/support/dashboard.tsx'
import { getFieldError, type FakeApi, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { cardPaymentMessages } from '#features/orders/card-payment.contract.ts'
import { addOnMessages } from '../addons.contract.ts'
import { addOnPages } from './addons.pages.ts'

const user = userEvent.setup()
const send = 'POST /api/orders/addons/'
const home = `/services/${uuid}/addons/`
const success = `${home}success/?order=FT0001`
const pay = () => getButton('CONFIRM & PAY')
const alert = async () => (await screen.findByRole('alert')).textContent
const note = () => screen.queryByText(addOnMessages.otherCard)
const save = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Save this card for next time' })
const keysOf = (...apis: FakeApi[]) =>
  apis.flatMap((api) => findCalls(api, send)).map(({ headers }) => headers['idempotency-key'])
const summaryOf = (place: HTMLElement) =>
  within(place)
    .getAllByRole('term')
    .map((term, index) => [term.textContent, within(place).getAllByRole('definition')[index]?.textContent])

async function open(replies: Record<string, Reply> = {}, product = 'extra-2gb') {
  const api = await openAsCustomer(addOnPages, `${home}?product=${product}&step=payment`, {
    [`GET /api/account/usage_summary/${uuid}/`]: usageSummary(),
    [readOrderEndpoint]: boughtAddOn,
    ...replies,
  })
  await expect
    .poll(() => screen.queryByRole('button', { name: 'CONFIRM & PAY' }) ?? queryHeading(/confirming your purchase/))
    .not.toBeNull()
  return api
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

test('the add-on purchase summary, beside the form and in a dialog, shows the phone number, the add-on and the total', async () => {
  await open()
  const rows = [
    ['Prepay Plan Number', '021 555 0142'],
    ['Selected Add-On', 'Extra 2 GB'],
    ['Total Due', '$10.00'],
  ]
  expect(summaryOf(screen.getByRole('complementary'))).toEqual(rows)
  await user.click(getButton('SEE SUMMARY'))
  expect(summaryOf(screen.getByRole('dialog', { name: 'Summary' }))).toEqual(rows)
})

test('the Back link in the payment step returns to the list of add-ons', async () => {
  await open()
  await user.click(screen.getByRole('link', { name: 'Back' }))
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: /^Extra 2 GB/ })).checked).toBe(true)
})

describe('paying for an add-on with a saved card', () => {
  test('shows and charges the saved card, and says that the purchase does not affect the card used for the plan', async () => {
    const api = await open({ [send]: orderResponse })
    expect(screen.getByRole('group', { name: 'Your saved card' }).textContent).toContain('**** **** **** 1111')
    expect(note()).not.toBeNull()
    await user.click(pay())
    await findPageTitle('Add-On Purchase Successful!')
    expect(location.pathname + location.search).toBe(success)
    expect(findCalls(api, send).map(({ body }) => body)).toEqual([
      {
        uuid,
        product: 'extra-2gb',
        expected_total: '10.00',
        payment_method: '1',
        save_token: false,
        use_saved_card: true,
      },
    ])
  })

  test('pays for an add-on with a new card, which is not saved by default', async () => {
    const api = await open({ [send]: orderResponse })
    await user.click(getButton('USE ANOTHER CARD'))
    await expect.poll(() => document.activeElement).toBe(getCardField('Card number'))
    expect(note()).not.toBeNull()
    expect(save().checked).toBe(false)
    fillInCard()
    await user.click(pay())
    await findPageTitle('Add-On Purchase Successful!')
    const { adyen_encrypted, ...rest } = findCalls(api, send)[0]!.body as Record<string, unknown>
    expect(rest).toEqual({
      uuid,
      product: 'extra-2gb',
      expected_total: '10.00',
      payment_method: '1',
      save_token: false,
      use_saved_card: false,
    })
    expect(decryptSealedCard(String(adyen_encrypted), testBootstrap.serverTime)).toMatchObject({
      number: '4111111111111111',
    })
  })

  test('warns a customer who chooses to save a new card that it will replace the saved card', async () => {
    const api = await open({ [send]: orderResponse })
    await user.click(getButton('USE ANOTHER CARD'))
    await user.click(save())
    expect(note()).toBeNull()
    expect(screen.getByText(/This replaces your saved card/)).toBeTruthy()
    fillInCard()
    await user.click(pay())
    await expect.poll(() => findCalls(api, send)[0]?.body).toMatchObject({ save_token: true, use_saved_card: false })
  })

  test('after the customer switches back to the saved card, sends nothing that was entered for a new card', async () => {
    const api = await open({ [send]: orderResponse })
    await user.click(getButton('USE ANOTHER CARD'))
    await user.click(save())
    await user.click(getButton('USE SAVED CARD'))
    await expect.poll(() => document.activeElement).toBe(getButton('USE ANOTHER CARD'))
    await user.click(pay())
    await expect
      .poll(() => findCalls(api, send)[0]?.body)
      .toEqual({
        uuid,
        product: 'extra-2gb',
        expected_total: '10.00',
        payment_method: '1',
        save_token: false,
        use_saved_card: true,
      })
  })

  test('an expired saved card cannot be used to pay', async () => {
    await open(repliesWithExpiredCard)
    expect(screen.getByText(cardPaymentMessages.savedCardExpired)).toBeTruthy()
    expect(getCardField('Card number')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'USE SAVED CARD' })).toBeNull()
  })
})

test('without a saved card, the customer must fill in every card field', async () => {
  const api = await open(repliesWithoutCard)
  expect(note()).toBeNull()
  await user.click(pay())
  expect(cardLabels.map((label) => getFieldError(getCardField(label)))).toEqual(
    cardLabels.map(() => formMessages.required),
  )
  expect(findCalls(api, send)).toEqual([])
})

test.each([
  ['a refusal', refusalError('Your card was declined.'), 'Your card was declined.'],
  ['a plan that has expired in the meantime', refusalError(addOnMessages.expired), addOnMessages.expired],
  ['too many attempts', new ApiError(429, {}), formMessages.tooMany],
  ['a server error', new ApiError(500, {}), formMessages.server],
  ['no response', new ApiError(0, undefined), formMessages.noAnswer],
])(
  'shows an error for %s, after which the customer can submit the add-on purchase again',
  async (_, failure, message) => {
    const api = await open({ [send]: failure })
    await user.click(pay())
    expect(await alert()).toBe(message)
    api.replies[send] = orderResponse
    await user.click(pay())
    await findPageTitle('Add-On Purchase Successful!')
  },
)

test('an attempt to pay for an add-on that is no longer sold leads back to the list of add-ons', async () => {
  const api = await open({ [send]: new ApiError(400, { product: [addOnMessages.required] }) })
  api.replies['GET /api/products/'] = {}
  await user.click(pay())
  await screen.findByText(/There are no Add-Ons to choose from/)
  cleanup()
  await open({ [send]: new ApiError(400, { product: ['It is sold out.'] }) })
  await user.click(pay())
  const group = await screen.findByRole('radiogroup', { name: 'Add-On' })
  expect(getFieldError(group)).toBe('It is sold out.')
  expect(screen.queryByRole('radio', { checked: true })).toBeNull()
  await user.click(screen.getByRole('radio', { name: /^Extra 500 MB/ }))
  expect(getFieldError(group)).toBeNull()
})

describe('retrying an add-on purchase', () => {
  test('reuses the idempotency key after a lost response and a reload, but not for a different add-on', async () => {
    const before = await open({ [send]: new ApiError(0, undefined) })
    await user.click(pay())
    await alert()
    cleanup()
    const after = await open({ [send]: new ApiError(0, undefined) })
    await user.click(pay())
    await alert()
    cleanup()
    const other = await open({ [send]: orderResponse }, 'extra-500mb')
    await user.click(pay())
    await findPageTitle('Add-On Purchase Successful!')
    const [first, second, third] = keysOf(before, after, other)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('keeps waiting for an add-on purchase with an unknown outcome, even after a reload', async () => {
    await open({ [send]: pendingResponse, [resumeEndpoint]: new Promise(() => {}) })
    await user.click(pay())
    await expect.poll(() => queryHeading(/confirming your purchase/)).not.toBeNull()
    cleanup()
    const api = await open({ [resumeEndpoint]: orderResponse })
    await screen.findByRole('heading', { level: 1, name: 'Add-On Purchase Successful!' })
    expect(findCalls(api, send)).toEqual([])
  })
})
