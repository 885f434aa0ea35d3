import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { Portal } from '#app/web/Portal.tsx'
import { ApiError } from '#kit/contract/errors.ts'
import { definePages, matchPage, createRouteTable } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage } from '#kit/web/router/page-modules.ts'
import { usageMessages, type UsageSummary } from '#features/usage/usage.contract.ts'
import { anonymousAccount, buildPlanStatus, portingRequestView, signedInAccount } from '#quality/support/account.ts'
import {
  dashboardService,
  usageSummary,
  bar,
  getDashboardButton,
  servicesByUuid,
  findCalls,
  data,
  first,
  getLinkHref,
  link,
  list,
  openDashboard,
  findServiceTitle,
  mockScreenSize,
  secondService,
  summaryWithoutUsage,
  getUsageSummaryEndpoint,
} from '#quality/support/dashboard.tsx'
import { createFakeApi, testBootstrap } from '#quality/support/open-portal.tsx'
import { dashboardPages } from './dashboard.pages.ts'

const user = userEvent.setup()
const nav = () => screen.queryByRole('navigation', { name: 'Welcome, Ana' })
const entries = () => within(nav()!).getAllByRole('listitem')

beforeEach(() => void mockScreenSize('tablet'))

describe('who may open the dashboard', () => {
  test.each([
    ['/', '/login/'],
    ['/services/a/', '/login/?next=%2Fservices%2Fa%2F'],
  ])('%s sends a visitor who is not signed in to the login page', async (path, login) => {
    await openDashboard(path, { 'GET /api/account/': anonymousAccount, [list]: new ApiError(401, {}) })
    await expect.poll(() => location.pathname + location.search).toBe(login)
  })

  test('the dashboard redirects a customer with an unverified address to the verification page', async () => {
    await openDashboard('/', {
      'GET /api/account/': signedInAccount({ email_verified: false }),
      [list]: new ApiError(403, {}),
    })
    await expect.poll(() => location.pathname).toBe('/verify/')
  })
})

describe('the list of phone numbers on the dashboard', () => {
  test('the dashboard shows every phone number with its plan and remaining data', async () => {
    await openDashboard('/')
    await screen.findByText('600 MB of 5 GB left')
    const [one, two, ...others] = entries()
    expect(within(one!).getByRole('link').getAttribute('href')).toBe('/services/a/')
    expect(one!.textContent).toBe(
      '021 555 014225 GB Prepay Plan90 day Prepay Plan18.4 GB of 25 GB leftExpires on 14 Feb 2027',
    )
    expect(two!.textContent).toContain('027 555 0199')
    expect(bar('Data left', one).getAttribute('aria-valuetext')).toBe('18.4 GB of 25 GB left')
    expect(others).toEqual([])
    expect(within(nav()!).getByRole('link', { name: 'Activate New Sim' }).getAttribute('href')).toBe('/activate/new/')
    expect(within(nav()!).getByRole('link', { name: 'ACCOUNT SETTINGS' }).getAttribute('href')).toBe(
      '/account/contact-details/',
    )
  })

  test('the dashboard does not request usage for an expired plan', async () => {
    const api = await openDashboard('/', {
      [list]: servicesByUuid(first, dashboardService('b', { is_expired: true })),
      [getUsageSummaryEndpoint('b')]: new ApiError(500, {}),
    })
    await findServiceTitle(2)
    expect(entries()[1]!.textContent).toBe('021 555 0142Prepay Plan ExpiredRenew by 4 Apr to keep your number')
    expect(findCalls(api, getUsageSummaryEndpoint('b'))).toEqual([])
  })

  test('usage is requested for at most four phone numbers at a time, starting with the open one', async () => {
    const uuids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const answers = Object.fromEntries(uuids.map((uuid) => [uuid, Promise.withResolvers<UsageSummary>()]))
    const api = await openDashboard('/services/g/', {
      [list]: servicesByUuid(...uuids.map((uuid) => dashboardService(uuid))),
      ...Object.fromEntries(uuids.map((uuid) => [getUsageSummaryEndpoint(uuid), () => answers[uuid]!.promise])),
    })
    await findServiceTitle(1)
    const asked = () => api.calls.map(({ at }) => /usage_summary\/(.)/.exec(at)?.[1]).filter(Boolean)
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c']))
    await act(async () => answers['a']!.resolve(usageSummary()))
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c', 'd']))
    await act(async () => uuids.forEach((uuid) => answers[uuid]!.resolve(usageSummary())))
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c', 'd', 'e', 'f']))
    expect(await screen.findAllByText('18.4 GB of 25 GB left')).toHaveLength(7)
  })

  test.each([
    ['the network does not respond', summaryWithoutUsage],
    ['the request fails', new ApiError(500, {})],
  ])('says that usage is unavailable when %s', async (_, answer) => {
    await openDashboard('/', { [getUsageSummaryEndpoint('b')]: answer })
    await waitFor(() => expect(entries()[1]!.textContent).toContain(usageMessages.dataUnavailable))
    expect(within(entries()[0]!).getByText('18.4 GB of 25 GB left')).toBeTruthy()
  })

  test('the dashboard counts phone numbers that need attention, and a failed transfer’s badge takes priority over others', async () => {
    const badge = { text: 'Card expired', tone: 'bad' as const }
    const porting_request = portingRequestView({ status: 4, msisdn: '+64275550199' })
    const services = [
      dashboardService('a', { outlook: buildPlanStatus({ badge }) }),
      dashboardService('b', { outlook: buildPlanStatus({ badge }), porting_request }),
      dashboardService('c'),
    ]
    const usedUp = usageSummary({ plan: { entitlements: [data(5, 0)] } })
    await openDashboard('/', { [list]: servicesByUuid(...services), [getUsageSummaryEndpoint('c')]: usedUp })
    expect(await screen.findByText('2 of your 3 numbers need attention')).toBeTruthy()
    const [one, two, three] = entries()
    expect(within(one!).getByRole('link', { name: /Card expired.*Expires on 14 Feb 2027/ })).toBeTruthy()
    expect(two!.textContent).toMatch(/Transfer failed.*027 555 0199 didn’t move/)
    expect(two!.textContent).not.toContain('Card expired')
    await waitFor(() => expect(three!.textContent).toContain('Data used up'))
  })

  test('Try Again reloads the list of phone numbers after it failed to load', async () => {
    const api = await openDashboard('/', { [list]: new ApiError(500, undefined) })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your services can’t be loaded right now.Something went wrong.',
    )
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ana')
    api.replies[list] = servicesByUuid(first)
    await user.click(getDashboardButton('Try Again'))
    expect(await screen.findByRole('navigation', { name: 'Welcome, Ana' })).toBeTruthy()
  })

  test('a customer without services sees a link to activate their first SIM', async () => {
    await openDashboard('/', { [list]: {} })
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ana' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'No phone numbers yet' })).toBeTruthy()
    expect([getLinkHref('Activate New Sim'), getLinkHref('ACCOUNT SETTINGS')]).toEqual([
      '/activate/new/',
      '/account/contact-details/',
    ])
  })
})

describe('the dashboard for a customer with 60 phone numbers', () => {
  const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const uuids = Array.from({ length: 60 }, (_, at) => uuidOf(at + 1))
  const replies = {
    [list]: servicesByUuid(...uuids.map((uuid) => dashboardService(uuid))),
    ...Object.fromEntries(uuids.map((uuid) => [getUsageSummaryEndpoint(uuid), usageSummary()])),
  }
  const shown = () => {
    const links = within(nav()!).getAllByRole('link', { name: /Expires on/ })
    return links.map((entry) => entry.getAttribute('href')?.split('/')[2])
  }

  test('the dashboard lists 50 of 60 phone numbers, shows the rest on request, and still lists all 60 after one is opened', async () => {
    await openDashboard('/', replies)
    await findServiceTitle(2)
    expect(shown()).toEqual(uuids.slice(0, 50))
    const more = await screen.findByRole('link', { name: 'Show more numbers' })
    expect(more.getAttribute('href')).toBe(`/?from=${uuidOf(51)}`)
    await user.click(more)
    expect(shown()).toEqual(uuids)
    expect(document.activeElement?.getAttribute('href')).toBe(`/services/${uuidOf(51)}/`)
    expect([location.search, screen.queryByRole('link', { name: 'Show more numbers' })]).toEqual(['', null])
    await user.click(document.activeElement!)
    await findServiceTitle(1)
    expect(shown()).toEqual(uuids)
  })

  test('the dashboard’s list starts at the phone number in the URL, opens that number, and links back to the first numbers', async () => {
    await openDashboard(`/?from=${uuidOf(51)}`, replies)
    await findServiceTitle(2)
    expect(shown()).toEqual(uuids.slice(50))
    expect(getLinkHref('RENEW OR BUY PREPAY PLAN')).toBe(`/services/renew/plan-of-${uuidOf(51)}/`)
    await user.click(link('Show the first phone numbers'))
    await waitFor(() => expect(shown()).toEqual(uuids.slice(0, 50)))
  })

  test('the list of the first 50 phone numbers also includes the number that is open, even if it comes later', async () => {
    await openDashboard(`/services/${uuidOf(60)}/`, replies)
    await findServiceTitle(1)
    expect(shown()).toEqual([...uuids.slice(0, 50), uuidOf(60)])
  })

  test('the dashboard’s count of phone numbers that need attention includes only the numbers that are listed', async () => {
    const badge = { text: 'Card expired', tone: 'bad' as const }
    const services = uuids.map((uuid) =>
      dashboardService(uuid, uuid === uuidOf(1) || uuid === uuidOf(60) ? { outlook: buildPlanStatus({ badge }) } : {}),
    )
    await openDashboard('/', { ...replies, [list]: servicesByUuid(...services) })
    expect(await screen.findByText('1 of these 50 numbers needs attention')).toBeTruthy()
    await user.click(await screen.findByRole('link', { name: 'Show more numbers' }))
    expect(screen.getByText('2 of your 60 numbers need attention')).toBeTruthy()
  })
})

describe('the dashboard’s layout on phones and tablets', () => {
  test('a customer with only one phone number sees its details straight away, even on a phone', async () => {
    mockScreenSize('phone')
    await openDashboard('/', { [list]: servicesByUuid(first) })
    expect(await screen.findByRole('heading', { level: 2, name: '021 555 0142' })).toBeTruthy()
    expect(getLinkHref('RENEW OR BUY PREPAY PLAN')).toBe('/services/renew/plan-of-a/')
    expect(screen.queryByRole('link', { name: 'My Dashboard' })).toBeNull()
    expect(link('Activate New Sim')).toBeTruthy()
  })

  test('on a tablet, the dashboard shows the first service and the list of phone numbers without changing the URL', async () => {
    await openDashboard('/')
    await findServiceTitle(2)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ana')
    expect(within(entries()[0]!).getByRole('link').getAttribute('aria-current')).toBe('page')
    expect(within(entries()[1]!).getByRole('link').getAttribute('aria-current')).toBeNull()
    expect([location.pathname, screen.getAllByRole('heading', { level: 2, name: '021 555 0142' }).length]).toEqual([
      '/',
      1,
    ])
  })

  test('selecting a different service opens it and moves the focus to it, and Back returns to the first service', async () => {
    await openDashboard('/')
    await findServiceTitle(2)
    await user.click(within(entries()[1]!).getByRole('link'))
    await expect.poll(() => document.activeElement).toBe(await findServiceTitle(1))
    expect([location.pathname, within(entries()[1]!).getByRole('link').getAttribute('aria-current')]).toEqual([
      '/services/b/',
      'page',
    ])
    await act(async () => history.back())
    await findServiceTitle(2)
    expect([location.pathname, within(entries()[0]!).getByRole('link').getAttribute('aria-current')]).toEqual([
      '/',
      'page',
    ])
  })

  test('on a phone, the dashboard first lists the services, and then shows the selected service with a link back to the list', async () => {
    mockScreenSize('phone')
    const api = await openDashboard('/')
    await screen.findByText('600 MB of 5 GB left')
    expect(screen.queryByRole('heading', { name: '25 GB Prepay Plan' })).toBeNull()
    expect(within(entries()[0]!).getByRole('link').getAttribute('aria-current')).toBeNull()
    expect(api.calls.filter(({ at }) => at.includes('usage_summary'))).toHaveLength(2)
    await user.click(link(/027 555 0199/))
    await findServiceTitle(1)
    expect(nav()).toBeNull()
    await user.click(link('My Dashboard'))
    expect((await screen.findByRole('heading', { level: 1, name: 'Welcome, Ana' })).closest('nav')).toBe(nav())
    expect(location.pathname).toBe('/')
  })

  test('on a phone, a service page requests usage only for that service', async () => {
    mockScreenSize('phone')
    const api = await openDashboard('/services/b/')
    await screen.findByText('Updated 10:42 am')
    expect(api.calls.filter(({ at }) => at.includes('usage_summary')).map(({ at }) => at)).toEqual([
      getUsageSummaryEndpoint('b'),
    ])
  })

  test('the dashboard’s layout adapts when the screen width changes', async () => {
    const turn = mockScreenSize('phone')
    await openDashboard('/')
    await screen.findByRole('navigation', { name: 'Welcome, Ana' })
    await turn('tablet')
    await findServiceTitle(2)
    await turn('phone')
    expect(screen.queryByRole('heading', { name: '25 GB Prepay Plan' })).toBeNull()
  })

  test('the server renders both the list of services and the first service without requesting usage', async () => {
    const api = createFakeApi({})
    const client = createQueryClient()
    client.setQueryData(['account'], signedInAccount())
    client.setQueryData(['services'], servicesByUuid(first, secondService))
    const pages = definePages([
      ...dashboardPages,
      { path: /^/, title: '', status: 404, component: async () => ({ default: () => null }) },
    ])
    await loadPage(matchPage(pages, '/').page)
    const html = renderToString(
      <Portal
        table={createRouteTable(pages)}
        api={api}
        bootstrap={testBootstrap}
        client={client}
        place={{ path: '/', search: '' }}
      />,
    )
    expect(html).toContain('027 555 0199')
    expect(html.replaceAll('<!-- -->', '')).toContain('Plan expires on 14 Feb 2027')
    // The content security policy forbids inline styles, so the usage bars must not use any.
    expect(html).not.toContain('style=')
    expect(api.calls).toEqual([])
  })

  test.each(['c', 'constructor', '__proto__'])(
    'shows the not-found page for a service that does not belong to the customer: %s',
    async (uuid) => {
      await openDashboard(`/services/${uuid}/`)
      expect(
        await screen.findByRole('heading', { name: 'Unfortunately we could not find what you were looking for' }),
      ).toBeTruthy()
      await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
      expect(screen.getByRole('contentinfo')).toBeTruthy()
    },
  )
})
