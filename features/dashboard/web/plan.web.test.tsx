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
  callsOf,
  data,
  entitlement,
  first,
  hrefOf,
  link,
  main,
  openService,
  screenIs,
  silentSummary,
  usageOf,
} from '#testing/dashboard.tsx'

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
    expect(main()).toMatch(/021 555 014225 GB Prepay PlanPlan expires on 14 Feb 2027/)
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

  test('a plan that is paid for ahead is told', async () => {
    const service = aService('a', { renews: true })
    const [schedule] = Object.values(service.schedules)
    const next_plan = { title: '15 GB Prepay Plan', length: 30, starts_on: '2027-02-13T11:00:00Z' }
    await openService({ ...service, schedules: { [schedule!.short_id]: { ...schedule!, next_plan } } })
    expect(main()).toContain('Your next Prepay Plan is paid for: 15 GB Prepay Plan, 30 days from 14 Feb 2027.')
  })

  test('in its last cycle no data renews', async () => {
    await openService(first, aSummary({ plan: { is_final_cycle: true } }))
    await screen.findByText('This is the last data cycle of your Prepay Plan.')
    expect(main()).not.toContain('Data renews at midnight')
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
    expect(link('RENEW OR BUY PREPAY PLAN')).toBeTruthy()
    api.replies[usageOf('a')] = aSummary()
    await user.click(button('Refresh'))
    await screen.findByText('Updated 10:42 am')
    expect(main()).not.toContain('not available')
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
      aService('a', { porting_request: { status: 3, failure_acknowledged_at: null, msisdn: '+64275550111' } }),
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

  test('since the list was asked for', async () => {
    await openService(first, aSummary({ is_expired: true }))
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
