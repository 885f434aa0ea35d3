import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { usageMessages, type UsageSummary } from '#features/usage/usage.contract.ts'
import {
  aService,
  aSummary,
  anAddOn,
  bar,
  button,
  byUuid,
  callsOf,
  data,
  entitlement,
  first,
  hrefOf,
  link,
  list,
  main,
  openService,
  screenIs,
  silentSummary,
  usageOf,
} from '#quality/support/dashboard.tsx'
import { anOutlook, aTransfer } from '#quality/support/account.ts'
import { products } from '#quality/support/buying.ts'

const user = userEvent.setup()

beforeEach(() => void screenIs('tablet'))
afterEach(() => void vi.useRealTimers())

describe('a plan that runs', () => {
  test('shows what is left, what is used, and the days', async () => {
    await openService(first)
    await screen.findByText('Updated 10:42 am')
    const gauge = screen
      .getAllByRole('progressbar', { name: 'Data left' })
      .find((each) => each.hasAttribute('aria-valuetext'))
    expect(gauge?.getAttribute('aria-valuetext')).toBe('18.4 GB of 25 GB left')
    expect(main()).toContain('18.4GB left of 25 GB')
    expect(main()).toContain('Data used6.6 GB of 25 GB')
    expect(bar('Data used').value).toBeCloseTo(26.4, 10)
    expect(main()).toMatch(/11 days of 30.*Data renews at midnight on 16 Dec 2026/)
    expect(bar('Days of this data cycle gone').value).toBeCloseTo((19 / 30) * 100, 10)
    expect([hrefOf('USAGE DETAILS'), hrefOf('RENEW OR BUY PREPAY PLAN'), hrefOf('PURCHASE ADD-ONS')]).toEqual([
      '/services/a/detail/',
      '/services/renew/plan-of-a/',
      '/services/a/addons/',
    ])
  })

  test('number, plan and date are there before the network has answered', async () => {
    await openService(first, Promise.withResolvers<UsageSummary>().promise)
    expect(main()).toMatch(/021 555 014225 GB Prepay Plan.*Plan expires on 14 Feb 2027Your last day is 13 Feb 2027/)
    expect(main()).not.toMatch(/Updated|midnight|NaN|undefined/)
    expect(bar('Days of this data cycle gone').value).toBe(0)
  })

  test('a network that takes long is told of, where it is read out, until it has answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const answer = Promise.withResolvers<UsageSummary>()
    await openService(first, answer.promise)
    const note = () => screen.queryByText(/^This is taking longer than usual/)
    expect(note()).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(note()?.closest('[role="status"]')).not.toBeNull()
    expect(note()?.closest('[aria-busy="true"]')).toBeNull()
    await act(async () => answer.resolve(aSummary()))
    expect(note()).toBeNull()
  })

  test.each([
    [true, 'Plan renews on 14 Feb 2027'],
    [false, 'Plan expires on 14 Feb 2027'],
  ])('with auto-renewal %s it says: %s', async (renews, words) => {
    await openService(aService('a', { renews }))
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' }) === null).toBe(renews)
  })

  test('what happens next is the server’s words; what asks for something stands first and has the only filled button', async () => {
    const trouble = anOutlook({
      state: 'card_trouble',
      tone: 'bad',
      title: 'Your plan can’t renew yet',
      text: 'Visa ending 1111 expired in October 2026. Update it before **9 am on Sun 10 Jan**.',
      card_button: 'Update card',
    })
    await openService(aService('a', { renews: true, outlook: trouble }))
    expect(main()).toMatch(/Your plan can’t renew yetVisa ending 1111 expired.*Update card.*Data used/)
    const next = within(screen.getByRole('region', { name: 'Your plan can’t renew yet' }))
    expect(next.getByText('9 am on Sun 10 Jan').tagName).toBe('STRONG')
    expect(next.getByRole('link', { name: 'Update card' }).className).not.toMatch(/quiet/)
    expect(next.getByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }).className).toMatch(/quiet/)
    expect(hrefOf('Update card')).toBe('/account/payment-method/')
  })

  test('nothing filled while nothing is asked for, and what happens next is below what is left', async () => {
    await openService(first)
    expect(link('RENEW OR BUY PREPAY PLAN').className).toMatch(/quiet/)
    expect(main()).toMatch(/Data used.*Plan expires on 14 Feb 2027/)
  })

  test.each([
    [true, 'Change or turn off auto-renewal'],
    [false, 'ENABLE AUTO-RENEWAL'],
  ])(
    'a next plan that is paid for leaves nothing to renew; auto-renewal is %s, and its button is about what follows',
    async (renews, name) => {
      const outlook = anOutlook({ state: 'next_plan_paid', tone: 'good', title: 'Next plan starts on 14 Feb 2027' })
      await openService(aService('a', { renews, outlook }))
      expect(screen.getByRole('heading', { name: 'Next plan starts on 14 Feb 2027' })).toBeTruthy()
      expect(screen.queryByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' })).toBeNull()
      expect(button(name)).toBeTruthy()
      expect(main()).not.toMatch(/expires on|renews on/)
    },
  )

  test('a plan of several cycles shows them all, with the one that runs', async () => {
    const service = aService('a')
    const [schedule] = Object.values(service.schedules)
    const starts_on = '2026-11-16'
    const summary = aSummary({ renewal_date: '2026-12-15T11:00:00Z', days_remaining: 20 })
    await openService({ ...service, schedules: { [schedule!.short_id]: { ...schedule!, starts_on } } }, summary)
    await screen.findByText('Updated 10:42 am')
    expect(main()).toContain('Your 90 days75 GB in all, 25 GB at a time16 Nov, now16 Dec15 Jan')
    expect(main()).toContain('20 days of 30, until new data')
    expect(screen.getByText('16 Nov', { exact: false }).closest('li')?.getAttribute('aria-current')).toBe('true')
  })

  test('in its last cycle no data renews', async () => {
    await openService(first, aSummary({ plan: { is_final_cycle: true } }))
    await screen.findByText('This is the last data cycle of your Prepay Plan.')
    expect(main()).not.toContain('Data renews at midnight')
  })

  test('a plan of one cycle speaks of no last one', async () => {
    await openService(first, aSummary({ plan: { is_final_cycle: true, cycles: 1 } }))
    await screen.findByText('Your data lasts as long as your Prepay Plan.')
    await user.click(screen.getByRole('button', { name: 'What are the days remaining?' }))
    expect(screen.getByText(/today included\.$/)).toBeTruthy()
    expect(main()).not.toMatch(/last data cycle|last of its data cycles|Data renews/)
  })

  test('a popup explains the days', async () => {
    await openService(first)
    await user.click(await screen.findByRole('button', { name: 'What are the days remaining?' }))
    expect(screen.getByText(/The days left of this 30-day data cycle, today included/)).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.queryByText(/The days left of/)).toBeNull()
  })

  test('shows every allowance that it has', async () => {
    const minutes = entitlement('Minutes', 'Mins', 100, 88)
    await openService(first, aSummary({ plan: { entitlements: [minutes, data(5, 0.6)] } }))
    await screen.findByText('88 Mins of 100 Mins left')
    expect([bar('Minutes left').value, main()]).toEqual([88, expect.stringContaining('600MB left of 5 GB')])
  })

  test('has nothing to gauge when it has no allowance', async () => {
    await openService(first, aSummary({ plan: { entitlements: [] } }))
    await screen.findByText('Updated 10:42 am')
    expect(screen.queryByRole('progressbar', { name: /^Data/ })).toBeNull()
  })
})

describe('usage that is not there', () => {
  test('a silent network leaves plan and days, and can be asked again', async () => {
    const api = await openService(first, silentSummary)
    await screen.findByText(usageMessages.addOnsUnavailable)
    expect(screen.getAllByText(usageMessages.dataUnavailable)).toHaveLength(2)
    expect(main()).toMatch(/11 days of 30/)
    expect(main()).not.toContain('Updated')
    expect(main()).toContain('The network isn’t answering; your plan runs as usual.Refresh')
    expect(link('RENEW OR BUY PREPAY PLAN')).toBeTruthy()
    api.replies[usageOf('a')] = aSummary()
    await user.click(button('Refresh'))
    await screen.findByText('Updated 10:42 am')
    expect(main()).not.toContain('not available')
  })

  test('a silent network leaves what it said last, with its hour', async () => {
    const last_known = { entitlements: [data(25, 17.84)], read_at: '2026-11-21T07:58:00Z' }
    await openService(first, aSummary({ addons: null, read_at: null, plan: { entitlements: null, last_known } }))
    await screen.findByText(usageMessages.addOnsUnavailable)
    expect(main()).toContain('At 8:58 pm you had 17.84 GB of 25 GB left.')
  })

  test('a call that fails leaves the page, and can be made again', async () => {
    const api = await openService(first, new ApiError(500, {}))
    await screen.findByText(usageMessages.unavailable)
    expect(screen.getByText('Plan expires on 14 Feb 2027')).toBeTruthy()
    expect([link('RENEW OR BUY PREPAY PLAN'), link('USAGE DETAILS'), link('Request Number Transfer')]).toHaveLength(3)
    expect(screen.queryByRole('link', { name: /FAQ/ })).toBeNull()
    const again = Promise.withResolvers<object>()
    api.replies[usageOf('a')] = again.promise
    await user.click(button('Refresh'))
    expect(button('Refreshing…')).toBe(document.activeElement)
    await user.click(button('Refreshing…'))
    expect(callsOf(api, usageOf('a'))).toHaveLength(2)
    await act(async () => again.resolve(aSummary()))
    await screen.findByText('Updated 10:42 am')
  })

  test('where a number is transferred it points to the FAQ', async () => {
    await openService(
      aService('a', {
        porting_request: aTransfer({ status: 3 }),
      }),
      new ApiError(500, {}),
    )
    await screen.findByText(usageMessages.unavailable)
    expect(hrefOf(/FAQ/)).toBe('https://fantail.example/faq')
  })
})

describe('a plan that has expired', () => {
  const expired = aService('a', { is_expired: true })

  test('says so and how to keep the number, to the letter', async () => {
    await openService(expired, aSummary({ is_expired: true, plan: { entitlements: [] } }))
    expect(screen.getByText('Prepay Plan Expired on 14 Feb 2027!')).toBeTruthy()
    expect(
      screen.getByText('Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.'),
    ).toBeTruthy()
    expect(screen.getByText((_, node) => node?.textContent === 'The last day to keep it is 5 Apr.')).toBeTruthy()
    expect(screen.getByText('Renew a Prepay Plan to keep your Phone Number.')).toBeTruthy()
    expect(hrefOf('RENEW OR BUY PREPAY PLAN')).toBe('/services/renew/plan-of-a/')
    expect(screen.queryByRole('link', { name: /PURCHASE ADD-ONS|USAGE DETAILS/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Add-Ons' })).toBeNull()
  })

  test('keeps the add-ons that are still good', async () => {
    await openService(expired, aSummary({ is_expired: true, addons: [anAddOn()] }))
    expect(await screen.findByRole('heading', { name: 'Extra 2 GB' })).toBeTruthy()
  })

  test('since the list was asked for: it is asked for anew', async () => {
    const lists = [byUuid(first), byUuid(expired)]
    await openService(first, aSummary({ is_expired: true }), { [list]: () => lists.shift() ?? byUuid(expired) })
    expect(await screen.findByText('Prepay Plan Expired on 14 Feb 2027!')).toBeTruthy()
  })

  test('and was renewed since: what was said of the old one does not count', async () => {
    await openService(aService('a', { expiry_date: '2027-05-14T12:00:00Z' }), aSummary({ is_expired: true }))
    await screen.findByText('Updated 10:42 am')
    expect(screen.getByText('Plan expires on 15 May 2027')).toBeTruthy()
  })
})

describe('add-ons', () => {
  test('have a card each: name, expiry, what is left, and whether they are for roaming', async () => {
    const minutes = entitlement('Minutes', 'Mins', 100, 88)
    await openService(
      first,
      aSummary({
        addons: [
          anAddOn(),
          anAddOn({ id: '2', name: 'Australia Roaming', roaming: true, entitlements: [data(2, 2), minutes] }),
        ],
      }),
    )
    await screen.findByRole('heading', { name: 'Australia Roaming' })
    const cards = within(screen.getByRole('region', { name: 'Add-Ons' })).getAllByRole('listitem')
    expect(cards.map((card) => card.textContent)).toEqual([
      'Extra 2 GBExpires on 04 Dec 2026820 MB of 2 GB left',
      'Australia RoamingExpires on 04 Dec 2026Roaming2 GB of 2 GB left88 Mins of 100 Mins left',
    ])
    expect([bar('Data left', cards[0]).value, bar('Minutes left', cards[1]).value]).toEqual([0.82, 88])
  })

  test('there may be none', async () => {
    await openService(first)
    expect(await screen.findByText('You have no Add-Ons at the moment.')).toBeTruthy()
  })
})

describe('data that is used up', () => {
  const none = (change: Parameters<typeof aSummary>[0] = {}) =>
    aSummary({ ...change, plan: { entitlements: [data(25, 0)], ...change?.plan } })
  const onSale = { 'GET /api/products/': products }
  const title = () => screen.queryByRole('heading', { name: 'Your data is used up' })

  test('stands before all else, with when it renews and the cheapest that helps', async () => {
    await openService(first, none(), onSale)
    await screen.findByRole('heading', { name: 'Your data is used up' })
    expect(main()).toContain('It renews at midnight on 16 Dec 2026. Calls and texts still work.')
    await screen.findByRole('link', { name: 'Add 2 GB for $10.00' })
    expect(hrefOf('Add 2 GB for $10.00')).toBe('/services/a/addons/?product=extra-2gb&step=payment')
    expect(hrefOf('See all add-ons')).toBe('/services/a/addons/')
    expect(main().indexOf('Your data is used up')).toBeLessThan(main().indexOf('left of'))
  })

  test('in its last cycle says when the plan ends, and shows the ways on without a price while that is not known', async () => {
    await openService(first, none({ plan: { is_final_cycle: true } }), { 'GET /api/products/': new ApiError(503, {}) })
    await screen.findByRole('heading', { name: 'Your data is used up' })
    expect(main()).toContain('Your Prepay Plan ends at midnight on 16 Dec 2026. Calls and texts still work.')
    expect(hrefOf('See all add-ons')).toBe('/services/a/addons/')
    expect(screen.queryByRole('link', { name: /^Add / })).toBeNull()
  })

  test.each([
    ['some is left', aSummary()],
    ['an add-on has some', none({ addons: [anAddOn()] })],
    ['the network does not say', silentSummary],
    ['the plan has none', aSummary({ plan: { entitlements: [entitlement('Calls', 'Mins', 100, 0)] } })],
  ])('is not said when %s', async (_why, summary) => {
    await openService(first, summary, onSale)
    expect(await screen.findAllByText(/Updated|not available/)).not.toEqual([])
    expect(title()).toBeNull()
  })

  test('is said when only an add-on for other countries has some', async () => {
    await openService(first, none({ addons: [anAddOn({ roaming: true })] }), onSale)
    expect(await screen.findByRole('heading', { name: 'Your data is used up' })).toBeDefined()
  })
})
