import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cardMessages } from '#kit/contract/card.contract.ts'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedInAccount } from '#quality/support/account.ts'
import { savedCard } from '#quality/support/purchase-fixtures.ts'
import {
  getActivateButton,
  findCalls,
  getCardField,
  type CardLabel,
  cardLabels,
  fillInCard,
  validCard,
  decryptSealedCard,
  openCheckout,
  pay,
  toPay,
  activationInProgress,
} from '#quality/support/checkout.ts'
import { getFieldError, testBootstrap } from '#quality/support/open-portal.tsx'

const user = userEvent.setup()
const errors = () => cardLabels.map((label) => getFieldError(getCardField(label)))
const texts = () => cardLabels.map((label) => getCardField(label).value)
const alert = async () => (await screen.findByRole('alert')).textContent
const amex = { 'Card number': '3700 000000 00002', 'Security code': '7373' }

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

describe('the card form on the activation checkout', () => {
  test('sends nothing until every field of the card form is filled in', async () => {
    const api = await openCheckout()
    await user.click(getActivateButton())
    expect(errors()).toEqual(cardLabels.map(() => formMessages.required))
    await expect.poll(() => document.activeElement).toBe(getCardField('Card number'))
    expect(getActivateButton().disabled).toBe(true)
    expect(findCalls(api, pay)).toEqual([])
  })

  test.each<[CardLabel, string, string]>([
    ...cardLabels.map((label): [CardLabel, string, string] => [label, '', formMessages.required]),
    ['Name on card', '   ', formMessages.required],
    ['Card number', '4111 1111 1111 1112', cardMessages.number],
    ['Card number', '4111 1111', cardMessages.number],
    ['Card number', '3700 000000 0000', cardMessages.number],
    ['Expiry', '13 / 30', cardMessages.expiry],
    ['Expiry', '03', cardMessages.expiry],
    ['Expiry', '10 / 26', cardMessages.expiry],
    ['Expiry', '01 / 42', cardMessages.expiry],
    ['Security code', '12', cardMessages.cvc],
    ['Security code', '7373', cardMessages.cvc],
  ])(
    'after leaving the field %s containing %j, shows the message "%s" until the field changes',
    async (label, typed, message) => {
      await openCheckout()
      fillInCard({ [label]: typed })
      await user.click(getCardField(label))
      await user.tab()
      expect(errors()).toEqual(cardLabels.map((each) => (each === label ? message : null)))
      expect(getActivateButton().disabled).toBe(true)
      await user.type(getCardField(label), '9', { initialSelectionStart: 0, initialSelectionEnd: 0 })
      expect(getFieldError(getCardField(label))).toBeNull()
      expect(getActivateButton().disabled).toBe(false)
    },
  )

  test('requires a four-digit security code for an American Express card', async () => {
    await openCheckout()
    fillInCard({ ...amex, 'Security code': '737' })
    await user.click(getActivateButton())
    expect(errors()).toEqual([null, null, null, cardMessages.cvc])
    await user.type(getCardField('Security code'), '3')
    expect(errors()).toEqual([null, null, null, null])
  })

  test('for an unsupported card type, lists the accepted types and does not send the card', async () => {
    const api = await openCheckout({ [pay]: activationInProgress })
    fillInCard({ 'Card number': '3600 6666 3333 44' })
    await user.click(getActivateButton())
    const sentence = 'We can’t take this type of card. Please use Visa, Mastercard or American Express.'
    expect(errors()).toEqual([sentence, null, null, null])
    expect(findCalls(api, pay)).toEqual([])
  })

  test("checks the card's expiry against the current month in New Zealand", async () => {
    vi.setSystemTime('2026-11-30T11:30:00Z')
    await openCheckout()
    fillInCard({ Expiry: '11 / 26' })
    await user.click(getActivateButton())
    expect(errors()).toEqual([null, null, cardMessages.expiry, null])
  })

  test('changing the card number clears the other three card fields', async () => {
    await openCheckout()
    await user.type(getCardField('Card number'), '4111111111111111')
    await user.type(getCardField('Name on card'), 'Ana Rewi')
    await user.type(getCardField('Expiry'), '0330')
    await user.type(getCardField('Security code'), '737')
    expect(texts()).toEqual(Object.values(validCard))
    await user.type(getCardField('Card number'), '{Backspace}2')
    expect(texts()).toEqual(['4111 1111 1111 1112', '', '', ''])
  })
})

describe('the ACTIVATE button on the activation checkout', () => {
  test('the ACTIVATE button shows the amount to pay', async () => {
    await openCheckout()
    expect(getActivateButton().textContent).toBe('ACTIVATE · PAY $109.40')
  })

  test('sends the card encrypted for the gateway, and no other card data', async () => {
    const api = await openCheckout({ [pay]: activationInProgress })
    fillInCard({ 'Name on card': ' Ana Rewi ' })
    await user.click(getActivateButton())
    await expect.poll(() => findCalls(api, pay)).toHaveLength(1)
    const { adyen_encrypted, ...rest } = findCalls(api, pay)[0]!.body as Record<string, unknown>
    expect(rest).toEqual({ payment_method: '1', use_saved_card: false, save_token: true, expected_total: '109.40' })
    expect(adyen_encrypted).toMatch(/^adyenjs_0_1_18\$/)
    expect(decryptSealedCard(String(adyen_encrypted), testBootstrap.serverTime)).toEqual({
      number: '4111111111111111',
      cvc: '737',
      holderName: 'Ana Rewi',
      expiryMonth: 3,
      expiryYear: 2030,
    })
  })

  test('offers to save the card, and does not save it if the customer unticks the box', async () => {
    const api = await openCheckout({ [pay]: activationInProgress })
    const save = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Save this card for next time' })
    expect(save.checked).toBe(true)
    expect(
      screen.getByText('Use this card for your next renewal or Add-On. You can remove it in your account at any time.'),
    ).toBeTruthy()
    fillInCard()
    await user.click(save)
    await user.click(getActivateButton())
    await expect.poll(() => findCalls(api, pay)[0]?.body).toMatchObject({ use_saved_card: false, save_token: false })
  })

  test('leaves no unencrypted card data in storage, cookies, the URL or API requests', async () => {
    const api = await openCheckout({ [pay]: activationInProgress })
    fillInCard()
    await user.click(getActivateButton())
    await expect.poll(() => findCalls(api, pay)).toHaveLength(1)
    const traces = JSON.stringify([
      api.calls,
      { ...sessionStorage },
      { ...localStorage },
      location.href,
      document.cookie,
    ])
    for (const secret of [validCard['Card number'], '4111111111111111', validCard['Name on card']])
      expect(traces).not.toContain(secret)
  })

  test('accepts an American Express card with a four-digit security code', async () => {
    const api = await openCheckout({ [pay]: activationInProgress })
    fillInCard(amex)
    await user.click(getActivateButton())
    await expect.poll(() => findCalls(api, pay)).toHaveLength(1)
    const { adyen_encrypted } = findCalls(api, pay)[0]!.body as Record<string, string>
    expect(decryptSealedCard(adyen_encrypted!, testBootstrap.serverTime)).toMatchObject({
      number: '370000000000002',
      cvc: '7373',
    })
  })

  test('pressing ACTIVATE opens the page for the activation state that the server returns', async () => {
    await openCheckout({ [pay]: activationInProgress })
    fillInCard()
    await user.click(getActivateButton())
    await expect.poll(() => location.pathname).toBe('/activate/processing/')
  })

  test('shows an error and sends nothing when the card cannot be encrypted', async () => {
    const api = await openCheckout({}, toPay(), 'no key')
    fillInCard()
    await user.click(getActivateButton())
    expect(await alert()).toBe('Please check your payment details and try again')
    expect(findCalls(api, pay)).toEqual([])
    expect(texts()).toEqual(Object.values(validCard))
  })

  test.each([
    ['a refusal', new ApiError(400, { __all__: ['Your card was declined.'] }), 'Your card was declined.'],
    [
      'an error about the card as a whole',
      new ApiError(400, { adyen_encrypted: ['Check the card.'] }),
      'Check the card.',
    ],
    ['too many attempts', new ApiError(429, {}), formMessages.tooMany],
    ['a server error', new ApiError(502, undefined), formMessages.server],
    ['no response', new ApiError(0, undefined), formMessages.noAnswer],
  ])('shows a message for %s, after which the customer can submit the same card again', async (_, failure, message) => {
    const api = await openCheckout({ [pay]: failure })
    fillInCard()
    await user.click(getActivateButton())
    expect(await alert()).toBe(message)
    expect(texts()).toEqual(Object.values(validCard))
    api.replies[pay] = activationInProgress
    await user.click(getActivateButton())
    await expect.poll(() => location.pathname).toBe('/activate/processing/')
    expect(findCalls(api, pay)).toHaveLength(2)
  })

  test('opens the current step without a message if the activation has progressed in another tab', async () => {
    const api = await openCheckout({ [pay]: new ApiError(409, { __all__: ['Your activation has moved on.'] }) })
    fillInCard()
    api.replies['GET /api/activate/'] = activationInProgress
    await user.click(getActivateButton())
    await expect.poll(() => location.pathname).toBe('/activate/processing/')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

test('pressing BACK on the activation checkout returns to the plans', async () => {
  const api = await openCheckout({ 'GET /api/products/': {}, 'GET /api/products/filters/': [] })
  await user.click(screen.getByRole('button', { name: 'BACK' }))
  await expect.poll(() => location.pathname).toBe('/activate/plans/')
  expect(findCalls(api, pay)).toEqual([])
})

describe("a signed-in customer's saved card", () => {
  const withCard = (change = {}) => ({
    'GET /api/account/': signedInAccount({ credit_card_token: savedCard, ...change }),
  })

  test('pays for an activation with the saved card', async () => {
    const api = await openCheckout({ ...withCard(), [pay]: activationInProgress })
    expect(screen.getByRole('group', { name: 'Your saved card' }).textContent).toContain('**** **** **** 1111')
    expect(screen.queryByRole('textbox', { name: 'Card number' })).toBeNull()
    await user.click(getActivateButton())
    await expect
      .poll(() => findCalls(api, pay).map(({ body }) => body))
      .toEqual([{ payment_method: '1', use_saved_card: true, expected_total: '109.40' }])
  })

  test('a customer can enter a new card instead of using the saved card', async () => {
    const api = await openCheckout({ ...withCard(), [pay]: activationInProgress })
    await user.click(screen.getByRole('button', { name: 'USE ANOTHER CARD' }))
    expect(screen.getByText('This replaces your saved card, including for renewals.')).toBeTruthy()
    fillInCard()
    await user.click(getActivateButton())
    await expect.poll(() => findCalls(api, pay)[0]?.body).toMatchObject({ use_saved_card: false, save_token: true })
  })

  test.each([
    ['has expired', { credit_card_token: { ...savedCard, is_expired: true } }],
    ['belongs to an account with an unconfirmed email address', { email_verified: false }],
  ])('does not offer the saved card when it %s', async (_, change) => {
    await openCheckout(withCard(change))
    expect(screen.queryByRole('group', { name: 'Your saved card' })).toBeNull()
    expect(getCardField('Card number')).toBeTruthy()
  })
})
