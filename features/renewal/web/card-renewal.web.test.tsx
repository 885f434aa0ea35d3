import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cardMessages } from '#kit/contract/card.contract.ts'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { signedIn } from '#testing/account.ts'
import {
  aService,
  bought,
  button,
  filters,
  heading,
  inDoubt,
  linkTo,
  listOf,
  openAsCustomer,
  pageTitle,
  products,
  refusal,
  savedCard,
  shortId,
  uuid,
  withExpiredCard,
  withoutCard,
} from '#testing/buying.ts'
import { callsOf, cardBox, cardLabels, fillInCard, openCard } from '#testing/checkout.ts'
import { errorOf, type Reply, testBootstrap } from '#testing/portal.tsx'
import { cardPaymentMessages } from '#features/orders/card-payment.contract.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { renewalMessages } from '../renewal.contract.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const send = 'POST /api/orders/recharge/'
const renew = () => button(/^RENEW/)
const chosen = () => screen.queryAllByRole('radio', { checked: true }).map((radio) => (radio as HTMLInputElement).value)
const plans = () => screen.queryAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)
const alert = async () => (await screen.findByRole('alert')).textContent
const summary = () => within(screen.getByRole('complementary'))

async function open(replies: Record<string, Reply> = {}, path = `/services/renew/${shortId}/`) {
  const api = await openAsCustomer(renewalPages, path, replies)
  await screen.findByRole('button', { name: /^RENEW/ })
  return api
}

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(testBootstrap.serverTime) })
})
afterEach(() => void vi.useRealTimers())

describe('the page', () => {
  test('names the service and its plan, and the ways to pay and back', async () => {
    await open()
    await pageTitle('Renew Prepay Plan')
    expect(linkTo('021 555 0142')).toBe(`/services/${uuid}/`)
    expect(linkTo('Cancel')).toBe(`/services/${uuid}/`)
    expect(screen.getByText('25 GB Prepay Plan · 90 days')).toBeTruthy()
    const types = within(screen.getByRole('navigation', { name: 'Payment type' })).getAllByRole('link')
    expect(
      types.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')]),
    ).toEqual([
      ['Card payment', `/services/renew/${shortId}/plan/`, 'page'],
      ['Voucher', `/services/renew/${shortId}/voucher/`, null],
    ])
  })

  test('warns of the data that is lost', async () => {
    await open()
    expect(screen.getByText(renewalMessages.notice)).toBeTruthy()
  })

  test('does not, of a plan that has expired', async () => {
    await open({ 'GET /api/services/': listOf(aService({ is_expired: true })) })
    expect(screen.queryByText(renewalMessages.notice)).toBeNull()
  })

  test('a plan that is paid for already stands in the way, and is named', async () => {
    const next_plan = { title: '15 GB Prepay Plan', length: 30, starts_on: '2027-02-13T11:00:00Z' }
    await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, {
      'GET /api/services/': listOf(aService({ next_plan })),
    })
    await screen.findByText('Your next Prepay Plan, 15 GB Prepay Plan, is already paid for and starts on 14 Feb 2027.')
    expect(screen.queryByRole('button', { name: /^RENEW/ })).toBeNull()
    expect(screen.queryByRole('navigation', { name: 'Payment type' })).toBeNull()
    expect(linkTo('Back to your service')).toBe(`/services/${uuid}/`)
  })
})

describe('the choice of a plan', () => {
  test('begins with the schedule’s next product', async () => {
    await open({ 'GET /api/services/': listOf(aService({ next: 'plan-30-15gb' })) })
    expect(chosen()).toEqual(['plan-30-15gb'])
  })

  test('else with the current one', async () => {
    await open()
    expect(chosen()).toEqual(['plan-90-25gb'])
  })

  test('also when the next product is not on offer', async () => {
    await open({ 'GET /api/services/': listOf(aService({ next: 'welcome' })) })
    expect(chosen()).toEqual(['plan-90-25gb'])
  })

  test('has no plan for new customers', async () => {
    await open()
    expect(plans()).toEqual(['plan-90-10gb', 'plan-90-25gb'])
  })

  test('without a plan nothing can be paid for', async () => {
    const { 'plan-90-25gb': _, ...others } = products
    await open({ 'GET /api/products/': others })
    expect(chosen()).toEqual([])
    expect(renew().disabled).toBe(true)
    expect(screen.queryByText('Total Due')).toBeNull()
    screen.getByRole<HTMLInputElement>('radio', { name: /10 GB/ }).focus()
    await user.tab()
    await user.tab()
    expect(errorOf(screen.getByRole('radiogroup', { name: 'Prepay Plan' }))).toBe(planMessages.required)
    await user.click(screen.getByRole('radio', { name: /10 GB/ }))
    expect(renew().disabled).toBe(false)
    expect(errorOf(screen.getByRole('radiogroup', { name: 'Prepay Plan' }))).toBeNull()
  })

  test('is kept over a reload, and forgotten by Cancel', async () => {
    await open()
    await user.click(screen.getByRole('radio', { name: /10 GB/ }))
    cleanup()
    await open()
    expect(chosen()).toEqual(['plan-90-10gb'])
    fireEvent.click(screen.getByRole('link', { name: 'Cancel' }))
    cleanup()
    await open()
    expect(chosen()).toEqual(['plan-90-25gb'])
  })

  test('when the plans do not load, says so; those that come later begin like the others', async () => {
    const api = await open({ 'GET /api/products/': new ApiError(500, {}) })
    expect(renew().disabled).toBe(true)
    api.replies['GET /api/products/'] = products
    await user.click(button('Try Again'))
    await expect.poll(chosen).toEqual(['plan-90-25gb'])
    expect(renew().disabled).toBe(false)
  })

  test('is summed up', async () => {
    await open()
    expect(
      summary()
        .getAllByRole('definition')
        .map((value) => value.textContent),
    ).toEqual(['021 555 0142', '25 GB · 90 days', '$109.40'])
    expect(summary().getByText('NZD, including $14.27 GST')).toBeTruthy()
    await user.click(button('SEE SUMMARY'))
    expect(within(screen.getByRole('dialog', { name: 'Summary' })).getByText('$109.40')).toBeTruthy()
  })
})

describe('the saved card', () => {
  test('pays, and is named on the button', async () => {
    const api = await open({ [send]: bought })
    expect(renew().textContent).toBe('RENEW WITH VISA **** 1111')
    expect(screen.getByRole('group', { name: 'Your saved card' }).textContent).toBe(
      'VISA**** **** **** 1111Ana RewiExpiry 03 / 30USE ANOTHER CARD',
    )
    await user.click(renew())
    await expect.poll(() => location.pathname).toBe('/services/renew/success/')
    expect(callsOf(api, send).map(({ body }) => body)).toEqual([
      { uuid, schedule: shortId, payment_method: '1', product: 'plan-90-25gb', use_saved_card: true },
    ])
  })

  test('cannot be exchanged while it pays', async () => {
    const answer = Promise.withResolvers<object>()
    await open({ [send]: answer.promise })
    await user.click(renew())
    await expect.poll(() => button('USE ANOTHER CARD').disabled).toBe(true)
    answer.resolve(bought)
    await expect.poll(() => location.pathname).toBe('/services/renew/success/')
  })

  test.each([
    ['mc', 'RENEW WITH MC **** 1111'],
    ['amex', 'RENEW WITH AMEX **** 1111'],
    [null, 'RENEW WITH CARD **** 1111'],
  ] as const)('(%s) reads %s', async (card_type, text) => {
    await open({ 'GET /api/account/': signedIn({ credit_card_token: { ...savedCard, card_type } }) })
    expect(renew().textContent).toBe(text)
  })

  test('makes room for another, and comes back', async () => {
    const api = await open({ [send]: bought })
    await user.click(button('USE ANOTHER CARD'))
    await expect.poll(() => document.activeElement).toBe(cardBox('Card number'))
    expect(renew().textContent).toBe('RENEW')
    expect(screen.getByText(/We’ll save this card/).textContent).toContain('in place of the one you have saved')
    fillInCard({ 'Card number': '4111' })
    await user.click(renew())
    expect(errorOf(cardBox('Card number'))).toBe(cardMessages.number)
    expect(renew().disabled).toBe(true)
    await user.click(button('USE SAVED CARD'))
    await expect.poll(() => document.activeElement).toBe(button('USE ANOTHER CARD'))
    expect(renew().disabled).toBe(false)
    await user.click(renew())
    await expect.poll(() => callsOf(api, send)).toHaveLength(1)
    expect(callsOf(api, send)[0]?.body).toMatchObject({ use_saved_card: true })
  })

  test('that has expired pays for nothing', async () => {
    await open(withExpiredCard)
    expect(screen.getByText(cardPaymentMessages.savedCardExpired)).toBeTruthy()
    expect(cardBox('Card number')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'USE SAVED CARD' })).toBeNull()
    expect(renew().textContent).toBe('RENEW')
  })
})

describe('another card', () => {
  test('is asked for where none is saved, and sent as only the gateway can read it', async () => {
    const api = await open({ ...withoutCard, [send]: bought })
    expect(screen.queryByRole('button', { name: /CARD$/ })).toBeNull()
    fillInCard()
    await user.click(renew())
    await expect.poll(() => location.pathname).toBe('/services/renew/success/')
    const { adyen_encrypted, ...rest } = callsOf(api, send)[0]!.body as Record<string, unknown>
    expect(rest).toEqual({
      uuid,
      schedule: shortId,
      payment_method: '1',
      product: 'plan-90-25gb',
      use_saved_card: false,
    })
    expect(openCard(String(adyen_encrypted), testBootstrap.serverTime)).toMatchObject({ number: '4111111111111111' })
    expect(JSON.stringify([api.calls, { ...sessionStorage }])).not.toContain('4111 1111')
  })

  test('has to be filled in', async () => {
    const api = await open(withoutCard)
    await user.click(renew())
    expect(cardLabels.map((label) => errorOf(cardBox(label)))).toEqual(cardLabels.map(() => formMessages.required))
    expect(callsOf(api, send)).toEqual([])
  })
})

test.each([
  ['a refusal', refusal('Your card was declined.'), 'Your card was declined.'],
  [
    'a plan that is queued',
    refusal(renewalMessages.queued('X', '14 Feb 2027')),
    renewalMessages.queued('X', '14 Feb 2027'),
  ],
  ['a plan that is gone', new ApiError(400, { product: ['This plan is not on offer.'] }), 'This plan is not on offer.'],
  ['too many tries', new ApiError(429, {}), formMessages.tooMany],
  ['a fault of the server', new ApiError(500, {}), formMessages.server],
  ['no answer', new ApiError(0, undefined), formMessages.noAnswer],
])('%s is told, and RENEW can be pressed again', async (_, failure, message) => {
  const api = await open({ [send]: failure })
  await user.click(renew())
  expect(await alert()).toBe(message)
  api.replies[send] = bought
  await user.click(renew())
  await expect.poll(() => location.pathname).toBe('/services/renew/success/')
})

test('an outcome in doubt takes the form’s place', async () => {
  await open({ [send]: inDoubt })
  await user.click(renew())
  await expect.poll(() => heading(/confirming your renewal/)).not.toBeNull()
  await expect.poll(() => document.activeElement).toBe(heading(/confirming your renewal/))
})

test('nothing is shown of a customer before they are known', async () => {
  await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, {
    'GET /api/products/filters/': filters,
    'GET /api/account/': new Promise(() => {}),
  })
  expect(screen.queryByRole('button', { name: /^RENEW/ })).toBeNull()
})
