import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { cardMessages } from '#kit/contract/card.contract.ts'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import vector from '#kit/web/card/card-encryption.vector.json' with { type: 'json' }
import { Link } from '#kit/web/Link.tsx'
import type { PageEntry } from '#kit/web/page.ts'
import type { Account, CardToken } from '#features/auth/auth.contract.ts'
import type { Service } from '#features/services/services.contract.ts'
import { twoServices } from '#quality/support/account.ts'
import { testService, servicesById } from '#quality/support/purchase-fixtures.ts'
import {
  findCalls,
  getCardField,
  type CardLabel,
  cardLabels,
  fillInCard,
  validCard,
  decryptSealedCard,
} from '#quality/support/checkout.ts'
import { expectEventually, withFakeTime, pass } from '#quality/support/fake-time.ts'
import {
  getFieldError,
  createFakeApi,
  type FakeApi,
  openPortal,
  type Reply,
  testBootstrap,
  withStatus,
} from '#quality/support/open-portal.tsx'
import { paymentMethodMessages } from '../payment-method.contract.ts'
import { paymentMethodPages } from './payment-method.pages.ts'

const pages: PageEntry[] = [
  ...paymentMethodPages,
  {
    path: '/account/change-password/',
    title: 'Elsewhere',
    component: async () => ({ default: () => <Link href="/account/payment-method/">Back there</Link> }),
  },
]

const update = 'POST /api/orders/update_payment/'
const account = 'GET /api/account/'
const services = 'GET /api/services/'

const visa: CardToken = {
  card_type: 'visa',
  masked_card_number: '**** **** **** 1111',
  formatted_expiry_date: '03 / 30',
  card_holder_name: 'Ana Rewi',
  is_expired: false,
}
const amex: CardToken = {
  card_type: 'amex',
  masked_card_number: '**** **** **** 0002',
  formatted_expiry_date: '11 / 31',
  card_holder_name: 'A. M. Rewi',
  is_expired: false,
}

const signedIn = (credit_card_token: CardToken | null): Account => ({
  authenticated: true,
  user: {
    email: 'ana@example.nz',
    email_verified: true,
    first_name: 'Ana',
    last_name: 'Rewi',
    phone: null,
    phone_display: null,
    last_updated: testBootstrap.serverTime,
    credit_card_token,
    email_verification: null,
  },
})

const stored = { credit_card_token: amex }
const inDoubt = withStatus(202, { retry: true })
const refusal = (sentence: string) => new ApiError(400, { __all__: [sentence] })

async function openPage(card: CardToken | null, replies: Record<string, Reply> = {}): Promise<FakeApi> {
  const api = createFakeApi({ [account]: signedIn(card), [services]: {}, ...replies })
  await openPortal(pages, '/account/payment-method/', api, {
    ...testBootstrap,
    card: { ...testBootstrap.card, publicKey: vector.public_key },
  })
  await expectEventually(() => screen.queryByText(paymentMethodMessages.intro)).not.toBeNull()
  return api
}

const button = (name: string) => screen.queryByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const form = () => screen.queryByRole('form')
const alert = () => screen.queryByRole('alert')?.textContent
const announced = () =>
  screen
    .queryAllByRole('status')
    .map((region) => region.textContent)
    .filter(Boolean)
const waiting = () => screen.queryByRole('heading', { name: /waiting for your bank/ })
const paused = () => screen.queryByRole('heading', { name: 'Your bank has not answered yet' })
const detail = (label: string) => screen.getByText(label).closest('div')?.querySelector('dd')?.textContent
const keysOf = (api: FakeApi) =>
  findCalls(api, update).map(({ headers }) => new Headers(headers).get('idempotency-key') ?? '')

async function save(api: FakeApi): Promise<void> {
  const before = findCalls(api, update).length
  press('SAVE CARD')
  await expect.poll(() => findCalls(api, update).length).toBe(before + 1)
  await pass(0)
}

async function saveCard(replies: Record<string, Reply>, card: CardToken | null = visa): Promise<FakeApi> {
  const api = await openPage(card, replies)
  press(card ? 'UPDATE CARD' : 'ADD CREDIT CARD')
  fillInCard()
  await save(api)
  return api
}

withFakeTime(testBootstrap.serverTime)
beforeEach(() => sessionStorage.clear())

describe('the payment method page', () => {
  test('shows the saved card with its masked number, name and expiry', async () => {
    await openPage(visa)
    expect(screen.getByRole('heading', { level: 1, name: 'Payment Method' })).toBeDefined()
    expect(document.title).toContain('Payment Method')
    expect(screen.getByRole('img', { name: 'Visa' })).toBeDefined()
    expect(detail('Card number')).toBe('**** **** **** 1111')
    expect(detail('Name on card')).toBe('Ana Rewi')
    expect(detail('Expiry')).toBe('03 / 30')
    expect(screen.queryByText(/expired/i)).toBeNull()
    expect(form()).toBeNull()
    expect(button('ADD CREDIT CARD')).toBeNull()
  })

  test('shows the phone number, date and amount of the next charge to the saved card', async () => {
    const [one, other] = Object.values(twoServices) as [Service, Service]
    const charged = { ...one, outlook: { ...one.outlook, card_charge: 'on 10 Jan 2027: $109.65' } }
    await openPage(visa, { [services]: { [one.uuid]: charged, [other.uuid]: other } })
    const list = screen.getByRole('list', { name: 'What your card pays for' })
    expect(list.textContent).toBe('Pays for 021 555 0142 on 10 Jan 2027: $109.65.')
  })

  test('does not show upcoming charges if nothing is due to renew or if the services do not load', async () => {
    for (const answer of [twoServices, new ApiError(500, undefined)]) {
      await openPage(visa, { [services]: answer })
      expect(screen.queryByText(/Pays for/)).toBeNull()
      cleanup()
    }
  })

  test('shows that a saved card has expired', async () => {
    await openPage({ ...visa, formatted_expiry_date: '04 / 26', is_expired: true })
    expect(detail('Expired')).toBe('04 / 26')
    expect(screen.queryByText('Expiry')).toBeNull()
    expect(screen.getByText('Your saved card has expired')).toBeDefined()
    expect(button('UPDATE CARD')).not.toBeNull()
  })

  test('shows a saved card whose type, name and expiry are unknown', async () => {
    await openPage({
      card_type: null,
      masked_card_number: '**** **** **** 1111',
      formatted_expiry_date: ' / ',
      card_holder_name: '',
      is_expired: false,
    })
    expect(screen.queryByRole('img', { name: /Visa|Mastercard|American/ })).toBeNull()
    expect([detail('Name on card'), detail('Expiry')]).toEqual(['–', '–'])
  })

  test('offers a form to add a card when none is saved', async () => {
    await openPage(null)
    expect(screen.getByRole('heading', { name: 'You have no saved card' })).toBeDefined()
    expect(button('UPDATE CARD')).toBeNull()
    press('ADD CREDIT CARD')
    expect(screen.getByRole('form', { name: 'Add a credit card' })).toBeDefined()
  })

  test.each([
    [{ authenticated: false, user: null }, '/login/?next=%2Faccount%2Fpayment-method%2F'],
    [
      { ...signedIn(null), user: { ...signedIn(null).user!, email_verified: false } },
      '/verify/?next=%2Faccount%2Fpayment-method%2F',
    ],
  ])(
    'the payment method page redirects visitors to the login page, and unverified customers to the email confirmation page',
    async (who, elsewhere) => {
      const api = createFakeApi({ [account]: who })
      await openPortal(paymentMethodPages, '/account/payment-method/', api)
      await expectEventually(() => location.pathname + location.search).toBe(elsewhere)
    },
  )
})

describe('the card form', () => {
  test('the card form opens with focus on its first field, and closing it returns focus to the UPDATE CARD button', async () => {
    const api = await openPage(visa)
    press('UPDATE CARD')
    const shown = screen.getByRole('form', { name: 'Update your card' })
    await expect.poll(() => document.activeElement).toBe(within(shown).getByRole('textbox', { name: 'Card number' }))
    expect(screen.queryByText('**** **** **** 1111')).toBeNull()
    press('BACK')
    expect(form()).toBeNull()
    expect(detail('Card number')).toBe('**** **** **** 1111')
    await expect.poll(() => document.activeElement).toBe(button('UPDATE CARD'))
    expect(findCalls(api, update)).toEqual([])
  })

  test('discards typed card details when the customer leaves the card form', async () => {
    await openPage(visa)
    press('UPDATE CARD')
    fillInCard()
    press('BACK')
    press('UPDATE CARD')
    expect(cardLabels.map((label) => getCardField(label).value)).toEqual(['', '', '', ''])
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('4111')
  })

  test('the card form can be completed with the keyboard alone', async () => {
    // The `userEvent` typing simulation needs real timers.
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
    const user = userEvent.setup()
    const api = await openPage(visa, { [update]: stored })
    button('UPDATE CARD')?.focus()
    await user.keyboard('{Enter}4111111111111111{Tab}Ana Rewi{Tab}0330{Tab}737{Enter}')
    await expect.poll(() => findCalls(api, update).length).toBe(1)
    await expectEventually(() => document.activeElement).toBe(button('UPDATE CARD'))
  })

  test('an incomplete card form is not sent and shows which fields are required', async () => {
    const api = await openPage(visa)
    press('UPDATE CARD')
    press('SAVE CARD')
    expect(cardLabels.map((label) => getFieldError(getCardField(label)))).toEqual(
      cardLabels.map(() => formMessages.required),
    )
    await expect.poll(() => document.activeElement).toBe(getCardField('Card number'))
    expect(button('SAVE CARD')?.disabled).toBe(true)
    expect(findCalls(api, update)).toEqual([])
  })

  test.each<[CardLabel, string, string]>([
    ...cardLabels.map((label): [CardLabel, string, string] => [label, '', formMessages.required]),
    ['Card number', '4111 1111 1111 1112', cardMessages.number],
    ['Expiry', '13 / 30', cardMessages.expiry],
    ['Expiry', '10 / 26', cardMessages.expiry],
    ['Expiry', '01 / 42', cardMessages.expiry],
    ['Security code', '12', cardMessages.cvc],
    ['Security code', '7373', cardMessages.cvc],
  ])('the card form field %s shows an error for %j: %s', async (label, typed, message) => {
    await openPage(null)
    press('ADD CREDIT CARD')
    fillInCard({ [label]: typed })
    fireEvent.blur(getCardField(label))
    expect(cardLabels.map((each) => getFieldError(getCardField(each)))).toEqual(
      cardLabels.map((each) => (each === label ? message : null)),
    )
    expect(button('SAVE CARD')?.disabled).toBe(true)
  })

  test('shows an error and sends nothing when the card cannot be encrypted', async () => {
    const api = createFakeApi({ [account]: signedIn(null) })
    await openPortal(paymentMethodPages, '/account/payment-method/', api, {
      ...testBootstrap,
      card: { ...testBootstrap.card, publicKey: 'no key' },
    })
    await expectEventually(() => button('ADD CREDIT CARD')).not.toBeNull()
    press('ADD CREDIT CARD')
    fillInCard()
    press('SAVE CARD')
    await expectEventually(alert).toBe(cardMessages.encryption)
    expect(findCalls(api, update)).toEqual([])
  })
})

describe('the payment method page after a card has been saved', () => {
  test('confirms the saved card and shows it in place of the old one', async () => {
    const api = await saveCard({ [update]: stored })
    await expectEventually(form).toBeNull()
    expect(announced()).toContain(paymentMethodMessages.done)
    expect(screen.getByRole('img', { name: 'American Express' })).toBeDefined()
    expect(detail('Card number')).toBe('**** **** **** 0002')
    await expect.poll(() => document.activeElement).toBe(button('UPDATE CARD'))
    expect(findCalls(api, account)).toHaveLength(1)
  })

  test('saves the first card of a customer who had none', async () => {
    await saveCard({ [update]: stored }, null)
    await expectEventually(() => button('UPDATE CARD')).not.toBeNull()
    expect(announced()).toContain(paymentMethodMessages.done)
    await expect.poll(() => document.activeElement).toBe(button('UPDATE CARD'))
  })

  test('sends the card only in the gateway’s encrypted form', async () => {
    const api = await saveCard({ [update]: stored })
    const { body } = findCalls(api, update)[0] as { body: Record<string, string> }
    expect(body).toEqual({
      payment_method: '1',
      use_saved_card: false,
      adyen_encrypted: expect.stringMatching(/^adyenjs_0_1_18\$/),
    })
    expect(decryptSealedCard(body['adyen_encrypted'] ?? '', testBootstrap.serverTime)).toMatchObject({
      number: '4111111111111111',
      holderName: 'Ana Rewi',
      cvc: '737',
    })
    expect(JSON.stringify(body)).not.toContain('4111')
  })

  test('removes the message about a saved card when the customer opens the form again', async () => {
    await saveCard({ [update]: stored })
    await expectEventually(form).toBeNull()
    press('UPDATE CARD')
    expect(announced()).not.toContain(paymentMethodMessages.done)
  })
})

describe('the payment method page after a card has been declined', () => {
  test.each([paymentMethodMessages.declined, paymentMethodMessages.unconfirmed, paymentMethodMessages.unreadable])(
    'the card form shows why a card was rejected, and the next attempt has a new idempotency key: %s',
    async (sentence) => {
      const api = await saveCard({ [update]: refusal(sentence) })
      await expectEventually(alert).toBe(sentence)
      await expect.poll(() => document.activeElement).toBe(screen.getByRole('alert'))
      expect(getCardField('Card number').value).toBe(validCard['Card number'])
      expect(button('SAVE CARD')?.disabled).toBe(false)
      expect(announced()).not.toContain(paymentMethodMessages.done)

      api.replies[update] = stored
      await save(api)
      await expectEventually(form).toBeNull()
      const [first, second] = keysOf(api)
      expect(second).not.toBe(first)
    },
  )

  test('keeps showing the old card after the new one is declined', async () => {
    await saveCard({ [update]: refusal(paymentMethodMessages.declined) })
    await expectEventually(alert).toBe(paymentMethodMessages.declined)
    press('BACK')
    expect(detail('Card number')).toBe('**** **** **** 1111')
  })
})

describe('the idempotency key of a card update', () => {
  test.each([
    ['no response', new ApiError(0, undefined)],
    ['a server error', new ApiError(502, undefined)],
    ['too many requests', new ApiError(429, {})],
    ['an expired session', new ApiError(401, {})],
  ])('keeps the idempotency key for the same card after %s', async (_, failure) => {
    const api = await saveCard({ [update]: failure })
    await expectEventually(alert).not.toBeUndefined()
    await save(api)
    const [first, second] = keysOf(api)
    expect(first).toMatch(/^[\w-]{32,64}$/)
    expect(second).toBe(first)
  })

  test('uses a new idempotency key for a different card, even if the first card’s result is unknown', async () => {
    const api = await saveCard({ [update]: new ApiError(0, undefined) })
    await expectEventually(alert).not.toBeUndefined()
    fillInCard({ 'Name on card': 'Ana M Rewi' })
    await save(api)
    const [first, second] = keysOf(api)
    expect(second).not.toBe(first)
  })

  test('uses a new idempotency key when the card form is opened again', async () => {
    const before = await saveCard({ [update]: new ApiError(0, undefined) })
    cleanup()
    const after = await saveCard({ [update]: stored })
    expect(keysOf(after)).not.toEqual(keysOf(before))
  })
})

describe('the payment method page before the bank has answered', () => {
  test('repeats the request with the same idempotency key and card until the card is saved', async () => {
    const api = await saveCard({ [update]: inDoubt })
    expect(waiting()).not.toBeNull()
    await expect.poll(() => document.activeElement).toBe(waiting())
    expect(form()).toBeNull()
    await pass(2_000)
    expect(findCalls(api, update)).toHaveLength(2)
    api.replies[update] = stored
    await pass(2_000)
    await expectEventually(() => announced().includes(paymentMethodMessages.done)).toBe(true)
    expect(detail('Card number')).toBe('**** **** **** 0002')
    expect(new Set(keysOf(api)).size).toBe(1)
    expect(new Set(findCalls(api, update).map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test('shows the card form again, with the customer’s input, if the card was not saved', async () => {
    const api = await saveCard({ [update]: inDoubt })
    api.replies[update] = refusal(paymentMethodMessages.unconfirmed)
    await pass(2_000)
    await expectEventually(alert).toBe(paymentMethodMessages.unconfirmed)
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('alert'))
    expect(getCardField('Card number').value).toBe(validCard['Card number'])
    api.replies[update] = stored
    await save(api)
    expect(new Set(keysOf(api)).size).toBe(2)
  })

  test.each([
    ['no response', new ApiError(0, undefined)],
    ['a server error', new ApiError(500, undefined)],
    ['too many requests', new ApiError(429, {})],
  ])('keeps polling for the bank’s answer after %s', async (_, failure) => {
    const api = await saveCard({ [update]: inDoubt })
    api.replies[update] = failure
    await pass(2_000)
    expect(waiting()).not.toBeNull()
    api.replies[update] = stored
    await pass(2_000)
    await expectEventually(() => announced().includes(paymentMethodMessages.done)).toBe(true)
  })

  test('stops polling for the bank’s answer after a few minutes, and continues when the customer presses “Check again”', async () => {
    const api = await saveCard({ [update]: inDoubt })
    await pass(120_000)
    expect(paused()).toBeNull()
    await pass(40_000)
    await expect.poll(() => document.activeElement).toBe(paused())
    const asked = findCalls(api, update).length
    await pass(600_000)
    expect(findCalls(api, update)).toHaveLength(asked)

    press('Check again')
    await pass(0)
    expect(waiting()).not.toBeNull()
    api.replies[update] = stored
    await pass(2_000)
    await expectEventually(() => announced().includes(paymentMethodMessages.done)).toBe(true)
    expect(new Set(keysOf(api)).size).toBe(1)
  })

  test('stops polling for the bank’s answer when the customer leaves the page, and shows the new card on the next visit', async () => {
    const api = await saveCard({ [update]: inDoubt })
    await pass(2_000)
    fireEvent.click(
      within(screen.getByRole('navigation', { name: 'Account' })).getByRole('link', { name: 'Change Password' }),
    )
    await expectEventually(() => screen.queryByRole('link', { name: 'Back there' })).not.toBeNull()
    await pass(200_000)
    expect(findCalls(api, update)).toHaveLength(2)
    api.replies[account] = signedIn(amex)
    fireEvent.click(screen.getByRole('link', { name: 'Back there' }))
    await expectEventually(() => screen.queryByText('**** **** **** 0002')).not.toBeNull()
  })

  test('uses the same idempotency key again if the session ends while the bank’s answer is pending', async () => {
    const api = await saveCard({ [update]: inDoubt })
    api.replies[update] = new ApiError(401, {})
    await pass(2_000)
    await expectEventually(alert).toBe(formMessages.server)
    await save(api)
    expect(new Set(keysOf(api)).size).toBe(1)
  })
})

test('submitting the card form again before the response has arrived sends nothing', async () => {
  const answer = Promise.withResolvers<object>()
  const api = await saveCard({ [update]: answer.promise })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /SAVING/ }).disabled).toBe(true)
  fireEvent.submit(getCardField('Card number').form!)
  await pass(0)
  expect(findCalls(api, update)).toHaveLength(1)
  answer.resolve(stored)
  await expectEventually(form).toBeNull()
})

describe('removing the saved card on the payment method page', () => {
  const remove = 'DELETE /api/account/payment_method/'
  const gone = { credit_card_token: null }
  const dialog = () => screen.queryByRole('dialog', { name: 'Remove Visa ending 1111?' })

  async function ask(replies: Record<string, Reply> = {}): Promise<FakeApi> {
    const api = await openPage(visa, { [services]: {}, [remove]: gone, ...replies })
    press('Remove card')
    await expectEventually(dialog).not.toBeNull()
    return api
  }
  const confirm = () => fireEvent.click(within(dialog()!).getByRole('button', { name: 'Remove card' }))

  test('removes the saved card only after confirmation, and then offers to add a new card', async () => {
    const api = await ask()
    expect(dialog()?.textContent).toContain('You can add a card again at any time.')
    expect(findCalls(api, remove)).toEqual([])
    confirm()
    await expectEventually(announced).toEqual([paymentMethodMessages.removed])
    expect(findCalls(api, remove)).toHaveLength(1)
    expect(screen.getByRole('heading', { name: 'You have no saved card' })).toBeTruthy()
    await expectEventually(() => document.activeElement).toBe(button('ADD CREDIT CARD'))
  })

  test('the dialog for removing the saved card lists the numbers whose auto-renewal would be left without a card', async () => {
    const on = testService({ phone_number: '021 505 9102' })
    const [schedule] = Object.values(on.schedules)
    const renewing = { ...on, schedules: { x: { ...schedule!, auto_recharge_enabled: true } } }
    await ask({ [services]: servicesById(renewing, { ...testService(), uuid: 'other', phone_number: '027 555 0199' }) })
    await expectEventually(() => screen.queryByText(/will have no card/)?.textContent).toBe(
      'Auto-renewal is on for 021 505 9102, but will have no card to charge. Add a card before your Prepay Plan ends, or it won’t renew.',
    )
  })

  test('keeps the saved card if the customer cancels its removal', async () => {
    const api = await ask()
    press('Keep card')
    await expectEventually(dialog).toBeNull()
    expect(findCalls(api, remove)).toEqual([])
    expect(screen.getByText('**** **** **** 1111')).toBeTruthy()
  })

  test('shows an error and keeps the card when the removal fails', async () => {
    await ask({ [remove]: new ApiError(500, {}) })
    confirm()
    await expectEventually(alert).toBe(formMessages.server)
    press('Keep card')
    await expectEventually(dialog).toBeNull()
    expect(screen.getByText('**** **** **** 1111')).toBeTruthy()
  })
})
