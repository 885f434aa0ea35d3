import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { usageMessages, type UsageSummary } from '#features/usage/usage.contract.ts'
import {
  dashboardService,
  usageSummary,
  ownedAddOn,
  bar,
  getDashboardButton,
  servicesByUuid,
  findCalls,
  data,
  entitlement,
  first,
  getLinkHref,
  link,
  list,
  main,
  openService,
  mockScreenSize,
  summaryWithoutUsage,
  getUsageSummaryEndpoint,
} from '#quality/support/dashboard.tsx'
import { buildPlanStatus, portingRequestView } from '#quality/support/account.ts'
import { products } from '#quality/support/purchase-fixtures.ts'

const user = userEvent.setup()

beforeEach(() => void mockScreenSize('tablet'))
afterEach(() => void vi.useRealTimers())

describe('the service page for an active plan', () => {
  test('shows the remaining data, the used data and the days left in the data cycle', async () => {
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
    expect(bar('Days used in this data cycle').value).toBeCloseTo((19 / 30) * 100, 10)
    expect([
      getLinkHref('USAGE DETAILS'),
      getLinkHref('RENEW OR BUY PREPAY PLAN'),
      getLinkHref('PURCHASE ADD-ONS'),
    ]).toEqual(['/services/a/detail/', '/services/renew/plan-of-a/', '/services/a/addons/'])
  })

  test('shows the number, plan and expiry date before the network has responded', async () => {
    await openService(first, Promise.withResolvers<UsageSummary>().promise)
    expect(main()).toMatch(/021 555 014225 GB Prepay Plan.*Plan expires on 14 Feb 2027Your last day is 13 Feb 2027/)
    expect(main()).not.toMatch(/Updated|midnight|NaN|undefined/)
    expect(bar('Days used in this data cycle').value).toBe(0)
  })

  test('tells the customer that the network is taking longer than usual, until its response arrives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const answer = Promise.withResolvers<UsageSummary>()
    await openService(first, answer.promise)
    const note = () => screen.queryByText(/^This is taking longer than usual/)
    expect(note()).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(note()?.closest('[role="status"]')).not.toBeNull()
    expect(note()?.closest('[aria-busy="true"]')).toBeNull()
    await act(async () => answer.resolve(usageSummary()))
    expect(note()).toBeNull()
  })

  test.each([
    [true, 'Plan renews on 14 Feb 2027'],
    [false, 'Plan expires on 14 Feb 2027'],
  ])('an active plan with auto-renewal %s shows “%s”', async (renews, words) => {
    await openService(dashboardService('a', { renews }))
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' }) === null).toBe(renews)
  })

  test('a plan status that requires action is shown above the usage, with a primary button for that action', async () => {
    const trouble = buildPlanStatus({
      state: 'card_trouble',
      tone: 'bad',
      title: 'Your plan can’t renew yet',
      text: 'Visa ending 1111 expired in October 2026. Update it before **9 am on 10 Jan 2027**.',
      card_button: 'Update card',
    })
    await openService(dashboardService('a', { renews: true, outlook: trouble }))
    expect(main()).toMatch(/Your plan can’t renew yetVisa ending 1111 expired.*Update card.*Data used/)
    const next = within(screen.getByRole('region', { name: 'Your plan can’t renew yet' }))
    expect(next.getByText('9 am on 10 Jan 2027').tagName).toBe('STRONG')
    expect(next.getByRole('link', { name: 'Update card' }).className).not.toMatch(/quiet/)
    expect(next.getByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' }).className).toMatch(/quiet/)
    expect(getLinkHref('Update card')).toBe('/account/payment-method/')
  })

  test('when no action is needed, the plan status is shown below the usage and the renew button is secondary', async () => {
    await openService(first)
    expect(link('RENEW OR BUY PREPAY PLAN').className).toMatch(/quiet/)
    expect(main()).toMatch(/Data used.*Plan expires on 14 Feb 2027/)
  })

  test.each([
    [true, 'Change or turn off auto-renewal'],
    [false, 'ENABLE AUTO-RENEWAL'],
  ])(
    'once the next plan is paid for, offers only an auto-renewal button and no renewal (auto-renewal on: %s)',
    async (renews, name) => {
      const outlook = buildPlanStatus({
        state: 'next_plan_paid',
        tone: 'good',
        title: 'Next plan starts on 14 Feb 2027',
        text: 'It starts automatically when this plan expires on 14 Feb 2027.',
      })
      await openService(dashboardService('a', { renews, outlook }))
      expect(screen.getByRole('heading', { name: 'Next plan starts on 14 Feb 2027' })).toBeTruthy()
      expect(screen.queryByRole('link', { name: 'RENEW OR BUY PREPAY PLAN' })).toBeNull()
      expect(getDashboardButton(name)).toBeTruthy()
      expect(main().match(/(expires|renews) on \d\d \w{3} \d{4}/g)).toEqual(['expires on 14 Feb 2027'])
    },
  )

  test('shows all of a plan’s data cycles and marks the current cycle', async () => {
    const service = dashboardService('a')
    const [schedule] = Object.values(service.schedules)
    const starts_on = '2026-11-16'
    const summary = usageSummary({ renewal_date: '2026-12-15T11:00:00Z', days_remaining: 20 })
    await openService({ ...service, schedules: { [schedule!.short_id]: { ...schedule!, starts_on } } }, summary)
    await screen.findByText('Updated 10:42 am')
    expect(main()).toContain('Your 90 days75 GB in all, 25 GB at a time16 Nov 2026, now16 Dec 202615 Jan 2027')
    expect(main()).toContain('20 days of 30, until new data')
    expect(screen.getByText('16 Nov 2026', { exact: false }).closest('li')?.getAttribute('aria-current')).toBe('true')
  })

  test('in a plan’s last data cycle, the page says that this is the last cycle and does not say when data renews', async () => {
    await openService(first, usageSummary({ plan: { is_final_cycle: true } }))
    await screen.findByText('This is the last data cycle of your Prepay Plan.')
    expect(main()).not.toContain('Data renews at midnight')
  })

  test('the page does not say “last data cycle” for a plan with only one data cycle', async () => {
    await openService(first, usageSummary({ plan: { is_final_cycle: true, cycles: 1 } }))
    await screen.findByText('Your data lasts as long as your Prepay Plan.')
    await user.click(screen.getByRole('button', { name: 'What does ‘days remaining’ mean?' }))
    expect(
      screen.getByText(/^Days left on your Prepay Plan, counting today\. .* so your last day is 15 Dec 2026\.$/),
    ).toBeTruthy()
    expect(main()).not.toMatch(/last data cycle|its last data cycle|Data renews/)
  })

  test('a popup explains what “days remaining” means', async () => {
    await openService(first)
    await user.click(await screen.findByRole('button', { name: 'What does ‘days remaining’ mean?' }))
    expect(screen.getByText(/Days left in this 30-day data cycle, counting today/)).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.queryByText(/Days left in/)).toBeNull()
  })

  test('shows every allowance of the plan', async () => {
    const minutes = entitlement('Minutes', 'Mins', 100, 88)
    await openService(first, usageSummary({ plan: { entitlements: [minutes, data(5, 0.6)] } }))
    await screen.findByText('88 Mins of 100 Mins left')
    expect([bar('Minutes left').value, main()]).toEqual([88, expect.stringContaining('600MB left of 5 GB')])
  })

  test('does not show a data gauge for a plan without an allowance', async () => {
    await openService(first, usageSummary({ plan: { entitlements: [] } }))
    await screen.findByText('Updated 10:42 am')
    expect(screen.queryByRole('progressbar', { name: /^Data/ })).toBeNull()
  })
})

describe('the service page when usage is unavailable', () => {
  test('shows the plan and the days left while the network does not respond, and lets the customer refresh the usage', async () => {
    const api = await openService(first, summaryWithoutUsage)
    await screen.findByText(usageMessages.addOnsUnavailable)
    expect(screen.getAllByText(usageMessages.dataUnavailable)).toHaveLength(2)
    expect(main()).toMatch(/11 days of 30/)
    expect(main()).not.toContain('Updated')
    expect(main()).toContain('The network isn’t responding, but your plan works as usual.Refresh')
    expect(link('RENEW OR BUY PREPAY PLAN')).toBeTruthy()
    api.replies[getUsageSummaryEndpoint('a')] = usageSummary()
    await user.click(getDashboardButton('Refresh'))
    await screen.findByText('Updated 10:42 am')
    expect(main()).not.toContain('not available')
  })

  test('shows the last known usage with its time while the network does not respond', async () => {
    const last_known = { entitlements: [data(25, 17.84)], read_at: '2026-11-21T07:58:00Z' }
    await openService(first, usageSummary({ addons: null, read_at: null, plan: { entitlements: null, last_known } }))
    await screen.findByText(usageMessages.addOnsUnavailable)
    expect(main()).toContain('You had 17.84 GB of 25 GB left at 8:58 pm.')
  })

  test('still shows the service page when the usage request fails, and sends only one refresh at a time', async () => {
    const api = await openService(first, new ApiError(500, {}))
    await screen.findByText(usageMessages.unavailable)
    expect(screen.getByText('Plan expires on 14 Feb 2027')).toBeTruthy()
    expect([link('RENEW OR BUY PREPAY PLAN'), link('USAGE DETAILS'), link('Request Number Transfer')]).toHaveLength(3)
    expect(screen.queryByRole('link', { name: /FAQ/ })).toBeNull()
    const again = Promise.withResolvers<object>()
    api.replies[getUsageSummaryEndpoint('a')] = again.promise
    await user.click(getDashboardButton('Refresh'))
    expect(getDashboardButton('Refreshing…')).toBe(document.activeElement)
    await user.click(getDashboardButton('Refreshing…'))
    expect(findCalls(api, getUsageSummaryEndpoint('a'))).toHaveLength(2)
    await act(async () => again.resolve(usageSummary()))
    await screen.findByText('Updated 10:42 am')
  })

  test('links to the FAQ when usage is unavailable for a transferred number', async () => {
    await openService(
      dashboardService('a', {
        porting_request: portingRequestView({ status: 3 }),
      }),
      new ApiError(500, {}),
    )
    await screen.findByText(usageMessages.unavailable)
    expect(getLinkHref(/FAQ/)).toBe('https://fantail.example/faq')
  })
})

describe('the service page for an expired plan', () => {
  const expired = dashboardService('a', { is_expired: true })

  test('for an expired plan, the page shows when it expired and how long the number is kept, and hides add-ons and usage', async () => {
    await openService(expired, usageSummary({ is_expired: true, plan: { entitlements: [] } }))
    expect(screen.getByText('Prepay Plan Expired on 14 Feb 2027!')).toBeTruthy()
    expect(
      screen.getByText('Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.'),
    ).toBeTruthy()
    expect(screen.getByText((_, node) => node?.textContent === 'The last day to keep it is 04 Apr 2027.')).toBeTruthy()
    expect(screen.getByText('Renew a Prepay Plan to keep your Phone Number.')).toBeTruthy()
    expect(getLinkHref('RENEW OR BUY PREPAY PLAN')).toBe('/services/renew/plan-of-a/')
    expect(screen.queryByRole('link', { name: /PURCHASE ADD-ONS|USAGE DETAILS/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Add-Ons' })).toBeNull()
  })

  test('shows add-ons that are still valid after the plan has expired', async () => {
    await openService(expired, usageSummary({ is_expired: true, addons: [ownedAddOn()] }))
    expect(await screen.findByRole('heading', { name: 'Extra 2 GB' })).toBeTruthy()
  })

  test('reloads the list of services when the usage response says that the plan has expired', async () => {
    const lists = [servicesByUuid(first), servicesByUuid(expired)]
    await openService(first, usageSummary({ is_expired: true }), {
      [list]: () => lists.shift() ?? servicesByUuid(expired),
    })
    expect(await screen.findByText('Prepay Plan Expired on 14 Feb 2027!')).toBeTruthy()
  })

  test('ignores an outdated usage response that says a renewed plan has expired', async () => {
    await openService(
      dashboardService('a', { expiry_date: '2027-05-14T12:00:00Z' }),
      usageSummary({ is_expired: true }),
    )
    await screen.findByText('Updated 10:42 am')
    expect(screen.getByText('Plan expires on 15 May 2027')).toBeTruthy()
  })
})

describe('add-ons on the service page', () => {
  test('each add-on shows its name, expiry, remaining allowance and whether it is for roaming', async () => {
    const minutes = entitlement('Minutes', 'Mins', 100, 88)
    await openService(
      first,
      usageSummary({
        addons: [
          ownedAddOn(),
          ownedAddOn({ id: '2', name: 'Australia Roaming', roaming: true, entitlements: [data(2, 2), minutes] }),
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

  test('says “No Add-Ons” for a service without add-ons', async () => {
    await openService(first)
    expect(await screen.findByText('No Add-Ons')).toBeTruthy()
  })
})

describe('the service page when all data is used', () => {
  const none = (change: Parameters<typeof usageSummary>[0] = {}) =>
    usageSummary({ ...change, plan: { entitlements: [data(25, 0)], ...change?.plan } })
  const onSale = { 'GET /api/products/': products }
  const title = () => screen.queryByRole('heading', { name: 'Your data is used up' })

  test('says above the usage that all data is used, with the renewal date and the cheapest add-on of at least 1 GB', async () => {
    await openService(first, none(), onSale)
    await screen.findByRole('heading', { name: 'Your data is used up' })
    expect(main()).toContain('Your data renews at midnight on 16 Dec 2026. Calls and texts still work.')
    await screen.findByRole('link', { name: 'Add 2 GB for $10.00' })
    expect(getLinkHref('Add 2 GB for $10.00')).toBe('/services/a/addons/?product=extra-2gb&step=payment')
    expect(getLinkHref('See all Add-Ons')).toBe('/services/a/addons/')
    expect(main().indexOf('Your data is used up')).toBeLessThan(main().indexOf('left of'))
  })

  test('when the last cycle’s data is used up, shows when the plan ends, but no add-on price if the products fail to load', async () => {
    await openService(first, none({ plan: { is_final_cycle: true } }), { 'GET /api/products/': new ApiError(503, {}) })
    await screen.findByRole('heading', { name: 'Your data is used up' })
    expect(main()).toContain('Your Prepay Plan ends at midnight on 16 Dec 2026. Calls and texts still work.')
    expect(getLinkHref('See all Add-Ons')).toBe('/services/a/addons/')
    expect(screen.queryByRole('link', { name: /^Add / })).toBeNull()
  })

  test.each([
    ['data is left', usageSummary()],
    ['an add-on has data left', none({ addons: [ownedAddOn()] })],
    ['the network does not respond', summaryWithoutUsage],
    ['the plan includes no data', usageSummary({ plan: { entitlements: [entitlement('Calls', 'Mins', 100, 0)] } })],
  ])('does not say that all data is used when %s', async (_why, summary) => {
    await openService(first, summary, onSale)
    expect(await screen.findAllByText(/Updated|not available/)).not.toEqual([])
    expect(title()).toBeNull()
  })

  test('warns that all data is used even if a roaming add-on has data left', async () => {
    await openService(first, none({ addons: [ownedAddOn({ roaming: true })] }), onSale)
    expect(await screen.findByRole('heading', { name: 'Your data is used up' })).toBeDefined()
  })
})
