// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Portal } from '#app/web/Portal.tsx'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { definePages, matchPage } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage } from '#kit/web/router/load.ts'
import type { PortingRequestView, Service } from '#features/services/services.contract.ts'
import { autoRenewMessages } from '#features/services/auto-renew.contract.ts'
import { type Entitlement, type OwnedAddOn, usageMessages, type UsageSummary } from '#features/usage/usage.contract.ts'
import { anonymous, signedIn } from '#testing/account.ts'
import { fakeApi, type FakeApi, openPortal, type Reply, testBootstrap } from '#testing/portal.tsx'
import { dashboardPages } from './dashboard.pages.ts'

const user = userEvent.setup()
const list = 'GET /api/services/'
const usageOf = (uuid: string) => `GET /api/account/usage_summary/${uuid}/`

const aService = (uuid: string, change: Partial<Service> & { renews?: boolean } = {}): Service => {
  const { renews = false, ...rest } = change
  const schedule = {
    short_id: `plan-of-${uuid}`,
    unique_id: `schedule-${uuid}`,
    auto_recharge_enabled: renews,
    product: { title: '25 GB Prepay Plan', length: 90, colour: '#b98a00', unique_id: 'plan-90-25gb', next_product_unique_id: null },
    next_plan: null,
    service: uuid,
  }
  return {
    uuid,
    msisdn: '+64215550142',
    phone_number: '021 555 0142',
    plan_short_id: schedule.short_id,
    is_expired: false,
    expiry_date: '2027-02-13T11:00:00.000Z',
    porting_request: null,
    schedules: { [schedule.short_id]: schedule },
    ...rest,
  }
}

const data = (total: number, left: number): Entitlement => ({
  name: 'Data',
  totalAllowance: { amount: total, unit: 'GB' },
  remainingAllowance: { amount: left, unit: 'GB' },
})

const aSummary = ({ plan, ...change }: Partial<Omit<UsageSummary, 'plan'>> & { plan?: Partial<UsageSummary['plan']> } = {}): UsageSummary => ({
  plan: { title: '25 GB Prepay Plan', entitlements: [data(25, 18.4)], renewal_length: 30, is_final_cycle: false, ...plan },
  expiry_date: '2027-02-13T11:00:00Z',
  renewal_date: '2026-12-15T11:00:00Z',
  days_remaining: 11,
  addons: [],
  is_expired: false,
  read_at: '2026-11-20T21:42:00Z',
  ...change,
})

const byUuid = (...services: Service[]) => Object.fromEntries(services.map((service) => [service.uuid, service]))
const first = aService('a')
const second = aService('b', { phone_number: '027 555 0199' })

function screenIs(kind: 'phone' | 'tablet') {
  const query = Object.assign(new EventTarget(), { matches: kind === 'tablet' })
  vi.stubGlobal('matchMedia', (wanted: string) => (wanted === '(min-width: 48rem)' ? query : Object.assign(new EventTarget(), { matches: false })))
  return (now: 'phone' | 'tablet') =>
    act(async () => {
      query.matches = now === 'tablet'
      query.dispatchEvent(new Event('change'))
    })
}

async function open(path: string, replies: Record<string, Reply> = {}): Promise<FakeApi> {
  const api = fakeApi({ 'GET /api/account/': signedIn(), [list]: byUuid(first, second), [usageOf('a')]: aSummary(), [usageOf('b')]: aSummary({ plan: { entitlements: [data(5, 0.6)] } }), ...replies })
  await openPortal(dashboardPages, path, api)
  return api
}

/** Opens one service on a tablet, and waits for it. */
async function openService(service: Service, summary: Reply = aSummary(), replies: Record<string, Reply> = {}): Promise<FakeApi> {
  const api = await open(`/services/${service.uuid}/`, { [list]: byUuid(service), [usageOf(service.uuid)]: summary, ...replies })
  await screen.findByRole('heading', { level: 1, name: '25 GB Prepay Plan' })
  return api
}

const link = (name: string | RegExp) => screen.getByRole('link', { name })
const hrefOf = (name: string | RegExp) => link(name).getAttribute('href')
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const nav = () => screen.queryByRole('navigation', { name: 'Welcome, Ana' })
const entries = () => within(nav()!).getAllByRole('listitem')
const title = (level: 1 | 2) => screen.findByRole('heading', { level, name: '25 GB Prepay Plan' })
const main = () => screen.getByRole('main').textContent
const bar = (name: string, place = screen.getByRole('main')) => within(place).getByRole<HTMLProgressElement>('progressbar', { name })
const callsOf = (api: FakeApi, at: string) => api.calls.filter((call) => call.at === at)

beforeEach(() => {
  screenIs('tablet')
})

describe('who may see it', () => {
  test.each([['/', '/login/'], ['/services/a/', '/login/?next=%2Fservices%2Fa%2F']])('%s sends a visitor to log in', async (path, login) => {
    await open(path, { 'GET /api/account/': anonymous, [list]: new ApiError(401, {}) })
    await expect.poll(() => location.pathname + location.search).toBe(login)
  })

  test('an address that is not confirmed comes first', async () => {
    await open('/', { 'GET /api/account/': signedIn({ email_verified: false }), [list]: new ApiError(403, {}) })
    await expect.poll(() => location.pathname).toBe('/verify/')
  })
})

describe('the list', () => {
  test('welcomes, and shows every service with its plan and what is left of it', async () => {
    await open('/')
    await screen.findByText('600 MB of 5 GB left')
    const [one, two, activate] = entries()
    expect(within(one!).getByRole('link').getAttribute('href')).toBe('/services/a/')
    expect(one!.textContent).toBe('021 555 014225 GB Prepay Plan90 day Prepay Plan18.4 GB of 25 GB left')
    expect(two!.textContent).toContain('027 555 0199')
    expect([bar('Data left', one).value, bar('Data left', one).max]).toEqual([18.4, 25])
    expect([activate!.textContent, within(activate!).getByRole('link').getAttribute('href')]).toEqual(['Activate New Sim', '/activate/new/'])
    expect(within(nav()!).getByRole('link', { name: 'ACCOUNT SETTINGS' }).getAttribute('href')).toBe('/account/contact-details/')
  })

  test('says that a plan has expired, without asking the network about it', async () => {
    const api = await open('/', { [list]: byUuid(first, aService('b', { is_expired: true })), [usageOf('b')]: new ApiError(500, {}) })
    await title(2)
    expect(entries()[1]!.textContent).toBe('021 555 0142Prepay Plan Expired')
    expect(callsOf(api, usageOf('b'))).toEqual([])
  })

  test('asks four at a time, the open one first', async () => {
    const uuids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const answers = Object.fromEntries(uuids.map((uuid) => [uuid, Promise.withResolvers<UsageSummary>()]))
    const api = await open('/services/g/', {
      [list]: byUuid(...uuids.map((uuid) => aService(uuid))),
      ...Object.fromEntries(uuids.map((uuid) => [usageOf(uuid), () => answers[uuid]!.promise])),
    })
    await title(1)
    const asked = () => api.calls.map(({ at }) => /usage_summary\/(.)/.exec(at)?.[1]).filter(Boolean)
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c']))
    await act(async () => answers['a']!.resolve(aSummary()))
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c', 'd']))
    await act(async () => uuids.forEach((uuid) => answers[uuid]!.resolve(aSummary())))
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c', 'd', 'e', 'f']))
    expect(await screen.findAllByText('18.4 GB of 25 GB left')).toHaveLength(7)
  })

  test.each([
    ['the network is silent', aSummary({ plan: { entitlements: null }, addons: null, read_at: null })],
    ['the call fails', new ApiError(500, {})],
  ])('has a sentence where usage would be when %s', async (_, answer) => {
    await open('/', { [usageOf('b')]: answer })
    await waitFor(() => expect(entries()[1]!.textContent).toContain(usageMessages.dataUnavailable))
    expect(within(entries()[0]!).getByText('18.4 GB of 25 GB left')).toBeTruthy()
  })

  test('that cannot be had can be asked for again', async () => {
    const api = await open('/', { [list]: new ApiError(500, undefined) })
    await screen.findByRole('heading', { name: 'Something Went Wrong' })
    expect(main()).toContain('Your services can’t be loaded right now.')
    api.replies[list] = byUuid(first)
    await user.click(button('Try Again'))
    expect(await screen.findByRole('navigation', { name: 'Welcome, Ana' })).toBeTruthy()
  })

  test('of nobody’s services is a way to the first', async () => {
    await open('/', { [list]: {} })
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ana' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'No phone numbers yet' })).toBeTruthy()
    expect([hrefOf('Activate New Sim'), hrefOf('ACCOUNT SETTINGS')]).toEqual(['/activate/new/', '/account/contact-details/'])
  })
})

describe('phone or tablet', () => {
  test('a tablet opens the first service by itself, at the same address', async () => {
    await open('/')
    await title(2)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ana')
    expect(within(entries()[0]!).getByRole('link').getAttribute('aria-current')).toBe('page')
    expect(within(entries()[1]!).getByRole('link').getAttribute('aria-current')).toBeNull()
    expect([location.pathname, screen.getAllByRole('heading', { name: '25 GB Prepay Plan' }).length]).toEqual(['/', 1])
  })

  test('another is one press away, and BACK leads to the first again', async () => {
    await open('/')
    await title(2)
    await user.click(within(entries()[1]!).getByRole('link'))
    expect(document.activeElement).toBe(await title(1))
    expect([location.pathname, within(entries()[1]!).getByRole('link').getAttribute('aria-current')]).toEqual(['/services/b/', 'page'])
    await act(async () => history.back())
    await title(2)
    expect([location.pathname, within(entries()[0]!).getByRole('link').getAttribute('aria-current')]).toEqual(['/', 'page'])
  })

  test('a phone shows the list, then the service with a way back', async () => {
    screenIs('phone')
    const api = await open('/')
    await screen.findByText('600 MB of 5 GB left')
    expect(screen.queryByRole('heading', { name: '25 GB Prepay Plan' })).toBeNull()
    expect(within(entries()[0]!).getByRole('link').getAttribute('aria-current')).toBeNull()
    expect(api.calls.filter(({ at }) => at.includes('usage_summary'))).toHaveLength(2)
    await user.click(link(/027 555 0199/))
    await title(1)
    expect(nav()).toBeNull()
    await user.click(link('My Dashboard'))
    expect((await screen.findByRole('heading', { level: 1, name: 'Welcome, Ana' })).closest('nav')).toBe(nav())
    expect(location.pathname).toBe('/')
  })

  test('a service on a phone asks for its own usage only', async () => {
    screenIs('phone')
    const api = await open('/services/b/')
    await screen.findByText('Updated 10:42 am')
    expect(api.calls.filter(({ at }) => at.includes('usage_summary')).map(({ at }) => at)).toEqual([usageOf('b')])
  })

  test('follows the screen when it is turned', async () => {
    const turn = screenIs('phone')
    await open('/')
    await screen.findByRole('navigation', { name: 'Welcome, Ana' })
    await turn('tablet')
    await title(2)
    await turn('phone')
    expect(screen.queryByRole('heading', { name: '25 GB Prepay Plan' })).toBeNull()
  })

  test('the server, which knows no screen, renders both, and waits for no usage', async () => {
    const api = fakeApi({})
    const client = createQueryClient()
    client.setQueryData(['account'], signedIn())
    client.setQueryData(['services'], byUuid(first, second))
    const pages = definePages([...dashboardPages, { path: /^/, title: '', status: 404, load: async () => ({ default: () => null }) }])
    await loadPage(matchPage(pages, '/').page)
    const html = renderToString(<Portal pages={pages} api={api} bootstrap={testBootstrap} client={client} place={{ path: '/', search: '' }} />)
    expect(html).toContain('027 555 0199')
    expect(html.replaceAll('<!-- -->', '')).toContain('Plan expires on 14 Feb 2027')
    // Bars are no styles: the page's policy allows none.
    expect(html).not.toContain('style=')
    expect(api.calls).toEqual([])
  })

  test.each(['c', 'constructor', '__proto__'])('no service of this customer is not found: %s', async (uuid) => {
    await open(`/services/${uuid}/`)
    expect(await screen.findByRole('heading', { name: 'Unfortunately we could not find what you were looking for' })).toBeTruthy()
    expect(screen.getByRole('contentinfo')).toBeTruthy()
  })
})

describe('a plan that runs', () => {
  test('shows what is left, what is used, and the days', async () => {
    await openService(first)
    await screen.findByText('Updated 10:42 am')
    const gauge = screen.getAllByRole('progressbar', { name: 'Data left' }).find((each) => each.hasAttribute('aria-valuetext'))
    expect(gauge?.getAttribute('aria-valuetext')).toBe('18.4 GB of 25 GB left')
    expect(main()).toContain('18.4GB left of 25 GB')
    expect(main()).toContain('Data used6.6 GB of 25 GB')
    expect(bar('Data used').value).toBeCloseTo(26.4)
    expect(main()).toMatch(/11 days of 30.*Data renews at midnight on 16 Dec 2026/)
    expect(bar('Days of this data cycle gone').value).toBeCloseTo(63.3, 1)
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

  test.each([[true, 'Plan renews on 14 Feb 2027'], [false, 'Plan expires on 14 Feb 2027']])('with auto-renewal %s it says: %s', async (renews, words) => {
    await openService(aService('a', { renews }))
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' }) === null).toBe(renews)
  })

  test('in its last cycle no data renews', async () => {
    await openService(first, aSummary({ plan: { is_final_cycle: true } }))
    await screen.findByText('This is the last data cycle of your Prepay Plan.')
    expect(main()).not.toContain('Data renews at midnight')
  })

  test('a popup explains the days', async () => {
    await openService(first)
    await user.click(await screen.findByRole('button', { name: 'What are the days remaining?' }))
    expect(screen.getByText(/The days of this 30-day data cycle that are left, today included/)).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.queryByText(/The days of this 30-day/)).toBeNull()
  })

  test('shows every allowance that it has', async () => {
    const minutes: Entitlement = { name: 'Minutes', totalAllowance: { amount: 100, unit: 'Mins' }, remainingAllowance: { amount: 88, unit: 'Mins' } }
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
  const silent = aSummary({ plan: { entitlements: null }, addons: null, read_at: null })

  test('a silent network leaves plan and days, and can be asked again', async () => {
    const api = await openService(first, silent)
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
    await openService(aService('a', { porting_request: { status: 3, failure_acknowledged_at: null, msisdn: '+64275550111' } }), new ApiError(500, {}))
    await screen.findByText(usageMessages.unavailable)
    expect(hrefOf(/FAQ/)).toBe('https://fantail.example/faq')
  })
})

describe('a plan that has expired', () => {
  const expired = aService('a', { is_expired: true })

  test('says so and how to keep the number, to the letter', async () => {
    await openService(expired, aSummary({ is_expired: true, plan: { entitlements: [] } }))
    expect(screen.getByText('Prepay Plan Expired on 14 Feb 2027!')).toBeTruthy()
    expect(screen.getByText('Your Phone Number will be reserved for 50 days past your Prepay Plan expiry.')).toBeTruthy()
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

function anAddOn(change: Partial<OwnedAddOn> = {}): OwnedAddOn {
  return { unique_id: 'addon-2gb', id: '1', name: 'Extra 2 GB', price: '10.00', roaming: false, expiry_date: '2026-12-03T11:00:00Z', entitlements: [data(2, 0.82)], ...change }
}

describe('add-ons', () => {
  test('have a card each: name, expiry, what is left, and whether they are for roaming', async () => {
    const minutes: Entitlement = { name: 'Minutes', totalAllowance: { amount: 100, unit: 'Mins' }, remainingAllowance: { amount: 88, unit: 'Mins' } }
    await openService(first, aSummary({ addons: [anAddOn(), anAddOn({ id: '2', name: 'Australia Roaming', roaming: true, entitlements: [data(2, 2), minutes] })] }))
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

describe('auto-renewal', () => {
  const address = '/api/services/auto_renew/a/plan-of-a/'
  const on = aService('a', { renews: true })

  test('is enabled once, and the page says so', async () => {
    const answer = Promise.withResolvers<Service>()
    const api = await openService(first, aSummary(), { [`PUT ${address}`]: () => answer.promise })
    await user.click(button('ENABLE AUTO-RENEWAL'))
    expect(button('ENABLE AUTO-RENEWAL').disabled).toBe(true)
    await user.click(button('ENABLE AUTO-RENEWAL'))
    await act(async () => answer.resolve(on))
    const notice = (await screen.findByText('Auto Renewal is on: your Prepay Plan renews on 14 Feb 2027.')).closest('[role="status"]')
    expect(document.activeElement).toBe(notice)
    expect(screen.getByText('Plan renews on 14 Feb 2027')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'ENABLE AUTO-RENEWAL' })).toBeNull()
    expect(callsOf(api, `PUT ${address}`)).toHaveLength(1)
  })

  test('that needs a card says where to add one', async () => {
    const entry = { message: autoRenewMessages.noCard, actions: [{ url: '/account/payment-method/', text: autoRenewMessages.addCard }] }
    await openService(first, aSummary(), { [`PUT ${address}`]: new ApiError(400, { __all__: [entry] }) })
    await user.click(button('ENABLE AUTO-RENEWAL'))
    expect((await screen.findByText(autoRenewMessages.noCard, { exact: false })).closest('[role="alert"]')).not.toBeNull()
    expect(hrefOf(autoRenewMessages.addCard)).toBe('/account/payment-method/')
    expect(button('ENABLE AUTO-RENEWAL').disabled).toBe(false)
  })

  test('is disabled from the menu, after a question', async () => {
    const api = await openService(on, aSummary(), { [`DELETE ${address}`]: first })
    await user.click(button('More about 021 555 0142'))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Disable Auto Renewal', 'Invoices'])
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Disable Auto Renewal?' })
    expect(dialog.textContent).toContain('it expires on 14 Feb 2027')
    expect(callsOf(api, `DELETE ${address}`)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Disable Auto Renewal' }))
    expect(await screen.findByText('Auto Renewal is off: your Prepay Plan expires on 14 Feb 2027.')).toBeTruthy()
    expect([screen.queryByRole('dialog'), screen.getByText('Plan expires on 14 Feb 2027') !== null]).toEqual([null, true])
    expect(button('ENABLE AUTO-RENEWAL')).toBeTruthy()
  })

  test('is kept by whoever thinks again', async () => {
    const api = await openService(on)
    await user.click(button('More about 021 555 0142'))
    await user.click(screen.getByRole('menuitem', { name: 'Disable Auto Renewal' }))
    await user.click(await screen.findByRole('button', { name: 'Keep it' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(button('More about 021 555 0142'))
    expect(api.calls.filter(({ at }) => at.startsWith('DELETE'))).toEqual([])
  })

  test('that could not be disabled says why, in the question', async () => {
    await openService(on, aSummary(), { [`DELETE ${address}`]: new ApiError(500, {}) })
    await user.click(button('More about 021 555 0142'))
    await user.click(screen.getByRole('menuitem', { name: 'Disable Auto Renewal' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Disable Auto Renewal' }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe(formMessages.server)
  })

  test('that is off leaves the invoices in the menu', async () => {
    await openService(first)
    await user.click(button('More about 021 555 0142'))
    expect(screen.getAllByRole('menuitem').map((item) => [item.textContent, item.getAttribute('href')])).toEqual([['Invoices', '/services/a/invoices/']])
  })
})

describe('a number transfer', () => {
  const port = (status: PortingRequestView['status'], failure_acknowledged_at: string | null = null): PortingRequestView => ({ status, failure_acknowledged_at, msisdn: '+64275550111' })
  const withPort = (...given: Parameters<typeof port>) => aService('a', { porting_request: port(...given) })
  const failure =
    'Sorry, your request to Transfer (Port) your Existing Phone Number to the provider has failed. Please try again or check the FAQ for instructions on what to do next.'
  const acknowledge = 'POST /api/services/acknowledge_port_failure/a/'

  test('can be asked for where there is none', async () => {
    await openService(first)
    expect(screen.getByRole('heading', { name: 'Phone Number Settings' })).toBeTruthy()
    expect(hrefOf('Request Number Transfer')).toBe('/services/a/port/')
  })

  test.each([1, 2, 3, 4] as const)('of status %i: may another be asked for?', async (status) => {
    await openService(withPort(status))
    expect(screen.queryByRole('link', { name: 'Request Number Transfer' }) !== null).toBe(status === 4)
  })

  test.each([1, 2] as const)('of status %i is told to be under way', async (status) => {
    await openService(withPort(status))
    const banner = screen.getByText(/normally takes about 4 hours in business hours/).closest('[role="status"]')
    expect(banner?.textContent).toContain('We’re moving +64 27 555 0111 to Fantail')
    expect(banner?.textContent).toContain('we’ll email you when it’s done')
  })

  test('that has failed says so until it is acknowledged', async () => {
    const api = await openService(withPort(4), aSummary(), { [acknowledge]: { failure_acknowledged_at: '2026-11-21T00:00:00Z' } })
    expect(screen.getByText(failure).closest('[role="status"]')).not.toBeNull()
    expect([hrefOf('Try Again'), hrefOf(/^FAQ/)]).toEqual(['/services/a/port/', 'https://fantail.example/faq'])
    await user.click(button('Close'))
    await waitFor(() => expect(screen.queryByText(failure)).toBeNull())
    expect(callsOf(api, acknowledge).map(({ body }) => body)).toEqual([{}])
    expect(link('Request Number Transfer')).toBeTruthy()
  })

  test('whose failure could not be acknowledged stays, and says why', async () => {
    await openService(withPort(4), aSummary(), { [acknowledge]: new ApiError(0, undefined) })
    await user.click(button('Close'))
    expect(await screen.findByText(formMessages.noAnswer)).toBeTruthy()
    expect(screen.getByText(failure)).toBeTruthy()
  })

  test.each([[4, '2026-11-21T00:00:00Z'], [3, null]] as const)('of status %i acknowledged %s is told no more', async (status, acknowledged) => {
    await openService(withPort(status, acknowledged))
    expect(main()).not.toMatch(/Sorry|moving/)
  })
})

describe('a transfer under way', () => {
  const under = aService('a', { porting_request: { status: 2, failure_acknowledged_at: null, msisdn: '+64275550111' } })

  test('is asked after every 10 seconds, until it is through', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const api = await openService(under)
      const pass = (milliseconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)))
      await pass(9_000)
      expect(callsOf(api, list)).toHaveLength(1)
      await pass(1_000)
      expect(callsOf(api, list)).toHaveLength(2)
      api.replies[list] = byUuid(aService('a', { phone_number: '027 555 0111', porting_request: { status: 3, failure_acknowledged_at: null, msisdn: '+64275550111' } }))
      await pass(10_000)
      expect(main()).toContain('027 555 0111')
      expect(main()).not.toContain('moving')
      await pass(60_000)
      expect(callsOf(api, list)).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('with no transfer nobody asks', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const api = await openService(first)
      await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)))
      expect(callsOf(api, list)).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })
})
