import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cardMessages } from '#kit/contract/card.contract.ts'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { buildPlanStatus, signedInAccount } from '#quality/support/account.ts'
import {
  testService,
  orderResponse,
  getButton,
  planFilters,
  queryHeading,
  pendingResponse,
  getLinkHref,
  servicesById,
  openAsCustomer,
  findPageTitle,
  products,
  refusalError,
  savedCard,
  shortId,
  uuid,
  repliesWithExpiredCard,
  repliesWithoutCard,
} from '#quality/support/purchase-fixtures.ts'
import { usageSummary, data, summaryWithoutUsage, getUsageSummaryEndpoint } from '#quality/support/dashboard.tsx'
import { findCalls, getCardField, cardLabels, fillInCard, decryptSealedCard } from '#quality/support/checkout.ts'
import { getFieldError, type Reply, testBootstrap } from '#quality/support/open-portal.tsx'
import { cardPaymentMessages } from '#features/orders/card-payment.contract.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import type { PlanStatusView } from '#features/services/services.contract.ts'
import { renewalMessages } from '../renewal.contract.ts'
import { renewalPages } from './renewal.pages.ts'

const user = userEvent.setup()
const send = 'POST /api/orders/recharge/'
const { expiry_date } = testService()
const renew = () => getButton(/^RENEW/)
const save = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Save this card for next time' })
const chooser = () => within(screen.getByRole('radiogroup', { name: 'Prepay Plan' }))
const valuesOf = (radios: HTMLElement[]) => radios.map((radio) => (radio as HTMLInputElement).value)
const chosen = () => valuesOf(chooser().queryAllByRole('radio', { checked: true }))
const plans = () => valuesOf(chooser().queryAllByRole('radio'))
const radio = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
const another = async () => {
  await user.click(radio('Choose another plan'))
  await screen.findByRole('radiogroup', { name: 'Prepay Plan' })
}
const usual = () => {
  const first = within(screen.getByRole('radiogroup', { name: 'Which plan?' })).getAllByRole('radio')[0]!
  return [nameOf(first), moreOf(first), (first as HTMLInputElement).checked]
}
const textOf = (ids: string | null) =>
  (ids ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')
    .replaceAll('\u00A0', ' ')
const nameOf = (input: HTMLElement) => textOf(input.getAttribute('aria-labelledby'))
const moreOf = (input: HTMLElement) => textOf(input.getAttribute('aria-describedby'))
const alert = async () => (await screen.findByRole('alert')).textContent
const inLastCycle = testService({ expiry_date: '2026-12-12T11:00:00Z', starts_on: '2026-09-14' })
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

describe('auto-renewal on the renewal page', () => {
  const note = 'You don’t need to do anything. By hand you pay **$36.00** instead of **$34.00**.'
  const renews = buildPlanStatus({
    state: 'renews',
    title: 'Plan renews on 14 Feb 2027',
    text: '**$34.00** from Visa ending 1111, charged at 9 am on 13 Feb 2027.',
    auto_renewal_note: note,
  })
  const withOutlook = (outlook: PlanStatusView) => {
    const service = testService({ outlook })
    const schedule = { ...service.schedules[shortId]!, auto_recharge_enabled: outlook.state !== 'ends' }
    return { 'GET /api/services/': servicesById({ ...service, schedules: { [shortId]: schedule } }) }
  }

  test('when auto-renewal is on, it comes first on the renewal page, with its price and the only prominent button', async () => {
    await open(withOutlook(renews))
    const first = screen.getByRole('region', { name: 'Plan renews on 14 Feb 2027' })
    expect(first.textContent).toBe(
      'Plan renews on 14 Feb 2027$34.00 from Visa ending 1111, charged at 9 am on 13 Feb 2027.' +
        'Keep auto-renewalYou don’t need to do anything. By hand you pay $36.00 instead of $34.00.',
    )
    const plan = screen.getByRole('radiogroup', { name: 'Which plan?' })
    expect(first.compareDocumentPosition(plan)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(getLinkHref('Keep auto-renewal')).toBe(`/services/${uuid}/`)
    expect(screen.getByRole('link', { name: 'Keep auto-renewal' }).className).not.toMatch(/quiet/)
    expect(renew().className).toMatch(/quiet/)
  })

  test('the renewal page links to the payment method if a problem with the saved card prevents auto-renewal', async () => {
    const trouble = {
      ...renews,
      state: 'card_trouble',
      title: 'Your plan can’t renew yet',
      card_button: 'Update card',
    } as const
    await open(withOutlook(trouble))
    expect(getLinkHref('Update card')).toBe('/account/payment-method/')
  })

  test('the renewal page offers auto-renewal if it is off and cheaper, but RENEW stays the prominent button', async () => {
    await open(
      withOutlook(buildPlanStatus({ auto_renewal_note: 'Your next plan costs **$34.00** with auto-renewal.' })),
    )
    expect(screen.getByText('$34.00').closest('p')?.textContent).toBe('Your next plan costs $34.00 with auto-renewal.')
    expect(getLinkHref('Enable auto-renewal')).toBe(`/services/${uuid}/?auto-renewal`)
    expect(renew().className).not.toMatch(/quiet/)
  })

  test('the renewal page does not mention auto-renewal if it is off and would save nothing', async () => {
    await open()
    expect(screen.queryByText(/auto-renewal/i)).toBeNull()
  })

  test.each([
    ['comes first', renews, 1],
    ['is not offered', buildPlanStatus({ auto_renewal_note: 'Your next plan costs **$34.00**.' }), 0],
  ])('auto-renewal %s on the voucher page', async (_, outlook, times) => {
    await open(withOutlook(outlook), `/services/renew/${shortId}/voucher/`)
    expect(screen.queryAllByRole('region', { name: /^Plan renews|^Auto-renewal/ })).toHaveLength(times)
  })
})

describe('page for renewing a plan', () => {
  test('the renewal page shows the service and its plan, and links to the voucher page and back to the service', async () => {
    await open()
    await findPageTitle('Renew Prepay Plan')
    expect(getLinkHref('021 555 0142')).toBe(`/services/${uuid}/`)
    expect(getLinkHref('Cancel')).toBe(`/services/${uuid}/`)
    expect(screen.getByText('25 GB Prepay Plan · 90 days')).toBeTruthy()
    const types = within(screen.getByRole('navigation', { name: 'Payment type' })).getAllByRole('link')
    expect(
      types.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('aria-current')]),
    ).toEqual([
      ['Card payment', `/services/renew/${shortId}/plan/`, 'page'],
      ['Voucher', `/services/renew/${shortId}/voucher/`, null],
    ])
  })

  test('a next plan that has already been paid for is shown in place of the renewal form', async () => {
    const next_plan = { title: '15 GB Prepay Plan', length: 30, starts_on: '2027-02-13T11:00:00Z' }
    await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, {
      'GET /api/services/': servicesById(testService({ next_plan })),
    })
    await screen.findByText('Your next Prepay Plan, 15 GB Prepay Plan, is already paid for and starts on 14 Feb 2027.')
    expect(screen.queryByRole('button', { name: /^RENEW/ })).toBeNull()
    expect(screen.queryByRole('navigation', { name: 'Payment type' })).toBeNull()
    expect(getLinkHref('Back to your service')).toBe(`/services/${uuid}/`)
  })
})

describe('choosing a plan on the renewal page', () => {
  test('the renewal page preselects the current plan and shows its price and data', async () => {
    await open()
    expect(usual()).toEqual([
      'Renew the same plan $109.40',
      '25 GB every 30 days (75 GB in all). Works out to $36.47 per 30 days. $36.97 monthly average',
      true,
    ])
    expect(screen.queryByRole('slider')).toBeNull()
  })

  test('the renewal page preselects the plan that the current plan renews as, and shows its name', async () => {
    await open({ 'GET /api/services/': servicesById(testService({ next: 'plan-30-15gb' })) })
    expect(usual()).toEqual([
      'Renew with 15 GB Prepay Plan $38.00',
      '15 GB to use in 30 days. Works out to $38.00 for 30 days. $38.53 monthly average',
      true,
    ])
  })

  test('the renewal page preselects the current plan if the plan that it renews as is not on sale', async () => {
    await open({ 'GET /api/services/': servicesById(testService({ next: 'welcome' })) })
    expect(usual()[0]).toBe('Renew the same plan $109.40')
  })

  test('a different plan can be chosen from the list of plans, and then the current plan again', async () => {
    const api = await open({ [send]: orderResponse })
    expect(moreOf(radio('Choose another plan'))).toBe('From 30 days to 90 days, $38.00 to $109.40')
    await another()
    expect(screen.getByRole('slider', { name: 'Plan length' })).toBeTruthy()
    expect([plans(), chosen()]).toEqual([['plan-90-10gb', 'plan-90-25gb'], ['plan-90-25gb']])
    await user.click(radio(/^10 GB/))
    expect(summary().getByText('$69.40')).toBeTruthy()
    await user.click(radio(/^Renew the same plan/))
    expect(summary().getByText('$109.40')).toBeTruthy()
    await user.click(renew())
    await expect.poll(() => findCalls(api, send)[0]?.body).toMatchObject({ product: 'plan-90-25gb' })
  })

  test('the renewal page shows the list of plans at once if the current plan is no longer on sale', async () => {
    const { 'plan-90-25gb': _, ...others } = products
    await open({ 'GET /api/products/': others })
    await screen.findByRole('radiogroup', { name: 'Prepay Plan' })
    expect(queryHeading('Choose your next plan')).not.toBeNull()
    expect(screen.getByText('25 GB Prepay Plan for 90 days is no longer sold.')).toBeTruthy()
    expect(chosen()).toEqual([])
    expect(renew().disabled).toBe(true)
    expect(screen.queryByText('Total due today')).toBeNull()
    screen.getByRole<HTMLInputElement>('radio', { name: /10 GB/ }).focus()
    await user.tab()
    await user.tab()
    expect(getFieldError(screen.getByRole('radiogroup', { name: 'Prepay Plan' }))).toBe(planMessages.required)
    await user.click(screen.getByRole('radio', { name: /10 GB/ }))
    expect(renew().disabled).toBe(false)
    expect(getFieldError(screen.getByRole('radiogroup', { name: 'Prepay Plan' }))).toBeNull()
  })

  test('the chosen plan and start survive a reload, and Cancel clears them', async () => {
    await open()
    await another()
    await user.click(radio(/10 GB/))
    await user.click(radio('Now'))
    cleanup()
    await open()
    await screen.findByRole('radiogroup', { name: 'Prepay Plan' })
    expect([chosen(), radio('Now').checked]).toEqual([['plan-90-10gb'], true])
    fireEvent.click(screen.getByRole('link', { name: 'Cancel' }))
    cleanup()
    await open()
    expect([usual()[2], radio('Now').checked]).toEqual([true, false])
  })

  test('if the plans do not load, the renewal page lets the customer try again and then preselects the current plan', async () => {
    const api = await open({ 'GET /api/products/': new ApiError(500, {}) })
    expect(renew().disabled).toBe(true)
    api.replies['GET /api/products/'] = products
    await user.click(await screen.findByRole('button', { name: 'Try Again' }))
    await expect.poll(() => usual()[0]).toBe('Renew the same plan $109.40')
    expect(renew().disabled).toBe(false)
  })

  test('the renewal summary shows the chosen plan, its start and its last day', async () => {
    await open()
    expect(
      summary()
        .getAllByRole('definition')
        .map((value) => value.textContent.replaceAll('\u00A0', ' ')),
    ).toEqual([
      '021 555 0142',
      '25 GB Prepay Plan, 90 days75 GB in all, 25 GB at a time',
      '$36.47',
      '$36.97',
      '14 Feb 2027when this plan ends',
      '14 May 2027',
      '$109.40',
    ])
    expect(summary().getByText(/NZD, including \$14\.27 GST/)).toBeTruthy()
    await user.click(radio('Now'))
    expect(summary().getByText('Today')).toBeTruthy()
    expect(summary().getByText('18 Feb 2027')).toBeTruthy()
  })
})

describe('choosing when the renewed plan starts', () => {
  test("a renewal starts at the current plan's end by default, and each option says what the customer keeps or gives up", async () => {
    const api = await open({ [send]: orderResponse })
    const [atEnd, now] = [radio(/^On 14\sFeb\s2027, when this plan ends$/), radio('Now')]
    expect([atEnd.checked, now.checked]).toEqual([true, false])
    await expect
      .poll(() => moreOf(atEnd))
      .toBe('You keep your 85 days and 68.4 GB. The new plan’s last day is 14 May 2027.')
    expect(await screen.findByText(/^Cancel for a full refund until the end of 12\sFeb\s2027\.$/)).toBeTruthy()
    expect(moreOf(now)).toBe(
      'You give up 85 days and 68.4 GB: 18.4 GB left today and 25 GB due 2 more times, next on 16 Dec 2026. ' +
        'The new plan’s last day is 18 Feb 2027.',
    )
    expect(screen.queryByText(renewalMessages.notice)).toBeNull()
    await user.click(renew())
    await expect.poll(() => findCalls(api, send)[0]?.body).toMatchObject({ starts: 'at_end' })
  })

  test('if the customer chooses to start now, the summary shows a notice and the request contains the choice', async () => {
    const api = await open({ [send]: orderResponse })
    await user.click(radio('Now'))
    expect(summary().getByText(renewalMessages.notice)).toBeTruthy()
    await user.click(renew())
    await expect.poll(() => findCalls(api, send)[0]?.body).toMatchObject({ starts: 'now' })
  })

  test.each([
    ['does not answer', new ApiError(500, {})],
    ['reports no balance', summaryWithoutUsage],
    ['reports an earlier plan', usageSummary({ expiry_date: '2026-11-15T11:00:00Z' })],
  ])('if the network %s, the renewal page lists only days and later cycles as given up', async (_, answer) => {
    await open({ [getUsageSummaryEndpoint(uuid)]: answer })
    expect(moreOf(radio('Now'))).toContain(
      'You give up 85 days and 25 GB due 2 more times, next on 16 Dec 2026. The new',
    )
  })

  test('the preselected start of a renewal does not change when usage data arrives late', async () => {
    const used = usageSummary({ plan: { entitlements: [data(25, 0)], is_final_cycle: true } })
    await open({ [getUsageSummaryEndpoint(uuid)]: used, 'GET /api/services/': servicesById(inLastCycle) })
    await expect.poll(() => moreOf(radio('Now'))).toContain('You give up 22 days. The new')
    expect(radio(/^On /).checked).toBe(true)
  })

  test.each([
    ['has expired', { is_expired: true }],
    ['has ended since the services were loaded', { expiry_date: '2026-11-20T10:00:00Z' }],
  ])('the renewal page does not ask when the new plan should start if the current plan %s', async (_, change) => {
    const api = await open({ [send]: orderResponse, 'GET /api/services/': servicesById(testService(change)) })
    expect(screen.queryByRole('radiogroup', { name: 'When should it start?' })).toBeNull()
    expect(screen.queryByText(renewalMessages.notice)).toBeNull()
    expect(summary().getByText('Today')).toBeTruthy()
    await user.click(renew())
    await expect.poll(() => findCalls(api, send)).toHaveLength(1)
    expect(findCalls(api, send)[0]?.body).not.toHaveProperty('starts')
  })
})

describe('paying with the saved card on the renewal page', () => {
  test('the RENEW button names the saved card, and pressing it pays for the renewal with that card', async () => {
    const api = await open({ [send]: orderResponse })
    expect(renew().textContent).toBe('RENEW WITH VISA **** 1111')
    expect(screen.getByRole('group', { name: 'Your saved card' }).textContent).toBe(
      'VISA**** **** **** 1111Ana RewiExpiry 03 / 30USE ANOTHER CARD',
    )
    await user.click(renew())
    await expect.poll(() => location.pathname).toBe('/services/renew/success/')
    expect(findCalls(api, send).map(({ body }) => body)).toEqual([
      {
        uuid,
        schedule: shortId,
        expiry_date,
        payment_method: '1',
        expected_total: '109.40',
        product: 'plan-90-25gb',
        starts: 'at_end',
        use_saved_card: true,
      },
    ])
  })

  test('the payment card cannot be changed while the renewal is being sent', async () => {
    const answer = Promise.withResolvers<object>()
    await open({ [send]: answer.promise })
    await user.click(renew())
    await expect.poll(() => getButton('USE ANOTHER CARD').disabled).toBe(true)
    answer.resolve(orderResponse)
    await expect.poll(() => location.pathname).toBe('/services/renew/success/')
  })

  test.each([
    ['mc', 'RENEW WITH MC **** 1111'],
    ['amex', 'RENEW WITH AMEX **** 1111'],
    [null, 'RENEW WITH CARD **** 1111'],
  ] as const)('the button for a saved card of type %s reads %s', async (card_type, text) => {
    await open({ 'GET /api/account/': signedInAccount({ credit_card_token: { ...savedCard, card_type } }) })
    expect(renew().textContent).toBe(text)
  })

  test('the customer can enter a different card and then go back to the saved card', async () => {
    const api = await open({ [send]: orderResponse })
    await user.click(getButton('USE ANOTHER CARD'))
    await expect.poll(() => document.activeElement).toBe(getCardField('Card number'))
    expect(renew().textContent).toBe('RENEW')
    expect(save().checked).toBe(true)
    expect(screen.getByText(/This replaces your saved card/)).toBeTruthy()
    fillInCard({ 'Card number': '4111' })
    await user.click(renew())
    expect(getFieldError(getCardField('Card number'))).toBe(cardMessages.number)
    expect(renew().disabled).toBe(true)
    await user.click(getButton('USE SAVED CARD'))
    await expect.poll(() => document.activeElement).toBe(getButton('USE ANOTHER CARD'))
    expect(renew().disabled).toBe(false)
    await user.click(renew())
    await expect.poll(() => findCalls(api, send)).toHaveLength(1)
    expect(findCalls(api, send)[0]?.body).toMatchObject({ use_saved_card: true })
  })

  test('an expired saved card cannot be used to pay for a renewal', async () => {
    await open(repliesWithExpiredCard)
    expect(screen.getByText(cardPaymentMessages.savedCardExpired)).toBeTruthy()
    expect(getCardField('Card number')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'USE SAVED CARD' })).toBeNull()
    expect(renew().textContent).toBe('RENEW')
  })
})

describe('paying with a new card on the renewal page', () => {
  test('the renewal page asks for a card if none is saved, and sends the card encrypted', async () => {
    const api = await open({ ...repliesWithoutCard, [send]: orderResponse })
    expect(screen.queryByRole('button', { name: /CARD$/ })).toBeNull()
    fillInCard()
    await user.click(renew())
    await expect.poll(() => location.pathname).toBe('/services/renew/success/')
    const { adyen_encrypted, ...rest } = findCalls(api, send)[0]!.body as Record<string, unknown>
    expect(rest).toEqual({
      uuid,
      schedule: shortId,
      expiry_date,
      payment_method: '1',
      expected_total: '109.40',
      product: 'plan-90-25gb',
      starts: 'at_end',
      use_saved_card: false,
      save_token: true,
    })
    expect(decryptSealedCard(String(adyen_encrypted), testBootstrap.serverTime)).toMatchObject({
      number: '4111111111111111',
    })
    expect(JSON.stringify([api.calls, { ...sessionStorage }])).not.toContain('4111 1111')
  })

  test('the card used for a renewal is not saved if the customer unticks the box', async () => {
    const api = await open({ ...repliesWithoutCard, [send]: orderResponse })
    expect(
      screen.getByText('Use this card for your next renewal or Add-On. You can remove it in your account at any time.'),
    ).toBeTruthy()
    fillInCard()
    await user.click(save())
    await user.click(renew())
    await expect.poll(() => findCalls(api, send)[0]?.body).toMatchObject({ use_saved_card: false, save_token: false })
  })

  test('every field of the card form is required for a renewal', async () => {
    const api = await open(repliesWithoutCard)
    await user.click(renew())
    expect(cardLabels.map((label) => getFieldError(getCardField(label)))).toEqual(
      cardLabels.map(() => formMessages.required),
    )
    expect(findCalls(api, send)).toEqual([])
  })
})

test.each([
  ['a refusal', refusalError('Your card was declined.'), 'Your card was declined.'],
  [
    'the message about a queued plan',
    refusalError(renewalMessages.queued('X', '14 Feb 2027')),
    renewalMessages.queued('X', '14 Feb 2027'),
  ],
  [
    'the message about a plan that is no longer on offer',
    new ApiError(400, { product: ['This plan is not on offer.'] }),
    'This plan is not on offer.',
  ],
  ['the message about too many attempts', new ApiError(429, {}), formMessages.tooMany],
  ['a server error', new ApiError(500, {}), formMessages.server],
  ['the message about a missing answer', new ApiError(0, undefined), formMessages.noAnswer],
])('the renewal page shows %s, and RENEW can be pressed again', async (_, failure, message) => {
  const api = await open({ [send]: failure })
  await user.click(renew())
  expect(await alert()).toBe(message)
  api.replies[send] = orderResponse
  await user.click(renew())
  await expect.poll(() => location.pathname).toBe('/services/renew/success/')
})

test('the renewal page shows that the renewal is being confirmed while its outcome is unknown', async () => {
  await open({ [send]: pendingResponse })
  await user.click(renew())
  await expect.poll(() => queryHeading(/confirming your renewal/)).not.toBeNull()
  await expect.poll(() => document.activeElement).toBe(queryHeading(/confirming your renewal/))
})

test("the renewal page shows no form before the customer's account is loaded", async () => {
  await openAsCustomer(renewalPages, `/services/renew/${shortId}/`, {
    'GET /api/products/filters/': planFilters,
    'GET /api/account/': new Promise(() => {}),
  })
  expect(screen.queryByRole('button', { name: /^RENEW/ })).toBeNull()
})
