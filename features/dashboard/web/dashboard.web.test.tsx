import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { Portal } from '#app/web/Portal.tsx'
import { ApiError } from '#kit/contract/errors.ts'
import { definePages, matchPage, wholeTable } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage } from '#kit/web/router/load.ts'
import { usageMessages, type UsageSummary } from '#features/usage/usage.contract.ts'
import { anonymous, anOutlook, aTransfer, signedIn } from '#quality/support/account.ts'
import {
  aService,
  aSummary,
  bar,
  button,
  byUuid,
  callsOf,
  data,
  first,
  hrefOf,
  link,
  list,
  openDashboard,
  serviceTitle,
  screenIs,
  second,
  silentSummary,
  usageOf,
} from '#quality/support/dashboard.tsx'
import { fakeApi, testBootstrap } from '#quality/support/portal.tsx'
import { dashboardPages } from './dashboard.pages.ts'

const user = userEvent.setup()
const nav = () => screen.queryByRole('navigation', { name: 'Welcome, Ana' })
const entries = () => within(nav()!).getAllByRole('listitem')

beforeEach(() => void screenIs('tablet'))

describe('who may see it', () => {
  test.each([
    ['/', '/login/'],
    ['/services/a/', '/login/?next=%2Fservices%2Fa%2F'],
  ])('%s sends a visitor to log in', async (path, login) => {
    await openDashboard(path, { 'GET /api/account/': anonymous, [list]: new ApiError(401, {}) })
    await expect.poll(() => location.pathname + location.search).toBe(login)
  })

  test('an address that is not confirmed comes first', async () => {
    await openDashboard('/', {
      'GET /api/account/': signedIn({ email_verified: false }),
      [list]: new ApiError(403, {}),
    })
    await expect.poll(() => location.pathname).toBe('/verify/')
  })
})

describe('the list', () => {
  test('welcomes, and shows every service with its plan and what is left of it', async () => {
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

  test('says that a plan has expired, without asking the network about it', async () => {
    const api = await openDashboard('/', {
      [list]: byUuid(first, aService('b', { is_expired: true })),
      [usageOf('b')]: new ApiError(500, {}),
    })
    await serviceTitle(2)
    expect(entries()[1]!.textContent).toBe('021 555 0142Prepay Plan ExpiredRenew by 5 Apr to keep it')
    expect(callsOf(api, usageOf('b'))).toEqual([])
  })

  test('asks four at a time, the open one first', async () => {
    const uuids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const answers = Object.fromEntries(uuids.map((uuid) => [uuid, Promise.withResolvers<UsageSummary>()]))
    const api = await openDashboard('/services/g/', {
      [list]: byUuid(...uuids.map((uuid) => aService(uuid))),
      ...Object.fromEntries(uuids.map((uuid) => [usageOf(uuid), () => answers[uuid]!.promise])),
    })
    await serviceTitle(1)
    const asked = () => api.calls.map(({ at }) => /usage_summary\/(.)/.exec(at)?.[1]).filter(Boolean)
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c']))
    await act(async () => answers['a']!.resolve(aSummary()))
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c', 'd']))
    await act(async () => uuids.forEach((uuid) => answers[uuid]!.resolve(aSummary())))
    await waitFor(() => expect(asked()).toEqual(['g', 'a', 'b', 'c', 'd', 'e', 'f']))
    expect(await screen.findAllByText('18.4 GB of 25 GB left')).toHaveLength(7)
  })

  test.each([
    ['the network is silent', silentSummary],
    ['the call fails', new ApiError(500, {})],
  ])('has a sentence where usage would be when %s', async (_, answer) => {
    await openDashboard('/', { [usageOf('b')]: answer })
    await waitFor(() => expect(entries()[1]!.textContent).toContain(usageMessages.dataUnavailable))
    expect(within(entries()[0]!).getByText('18.4 GB of 25 GB left')).toBeTruthy()
  })

  test('says how many numbers need their owner, and which: a failed transfer first, then what is wrong with the plan', async () => {
    const badge = { text: 'Card expired', tone: 'bad' as const }
    const porting_request = aTransfer({ status: 4, msisdn: '+64275550199' })
    const services = [
      aService('a', { outlook: anOutlook({ badge }) }),
      aService('b', { outlook: anOutlook({ badge }), porting_request }),
      aService('c'),
    ]
    const usedUp = aSummary({ plan: { entitlements: [data(5, 0)] } })
    await openDashboard('/', { [list]: byUuid(...services), [usageOf('c')]: usedUp })
    expect(await screen.findByText('2 of your 3 numbers need you')).toBeTruthy()
    const [one, two, three] = entries()
    expect(within(one!).getByRole('link', { name: /Card expired.*Expires on 14 Feb 2027/ })).toBeTruthy()
    expect(two!.textContent).toMatch(/Transfer failed.*027 555 0199 didn’t move/)
    expect(two!.textContent).not.toContain('Card expired')
    await waitFor(() => expect(three!.textContent).toContain('Data used up'))
  })

  test('that cannot be had can be asked for again', async () => {
    const api = await openDashboard('/', { [list]: new ApiError(500, undefined) })
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your services can’t be loaded right now.Something went wrong.',
    )
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ana')
    api.replies[list] = byUuid(first)
    await user.click(button('Try Again'))
    expect(await screen.findByRole('navigation', { name: 'Welcome, Ana' })).toBeTruthy()
  })

  test('without services is a way to the first', async () => {
    await openDashboard('/', { [list]: {} })
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ana' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'No phone numbers yet' })).toBeTruthy()
    expect([hrefOf('Activate New Sim'), hrefOf('ACCOUNT SETTINGS')]).toEqual([
      '/activate/new/',
      '/account/contact-details/',
    ])
  })
})

describe('a list of 60 numbers', () => {
  const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const uuids = Array.from({ length: 60 }, (_, at) => uuidOf(at + 1))
  const replies = {
    [list]: byUuid(...uuids.map((uuid) => aService(uuid))),
    ...Object.fromEntries(uuids.map((uuid) => [usageOf(uuid), aSummary()])),
  }
  const shown = () => {
    const links = within(nav()!).getAllByRole('link', { name: /Expires on/ })
    return links.map((entry) => entry.getAttribute('href')?.split('/')[2])
  }

  test('shows the first 50, adds the others below, and keeps them on the page of a number', async () => {
    await openDashboard('/', replies)
    await serviceTitle(2)
    expect(shown()).toEqual(uuids.slice(0, 50))
    const more = await screen.findByRole('link', { name: 'Show more numbers' })
    expect(more.getAttribute('href')).toBe(`/?from=${uuidOf(51)}`)
    await user.click(more)
    expect(shown()).toEqual(uuids)
    expect(document.activeElement?.getAttribute('href')).toBe(`/services/${uuidOf(51)}/`)
    expect([location.search, screen.queryByRole('link', { name: 'Show more numbers' })]).toEqual(['', null])
    await user.click(document.activeElement!)
    await serviceTitle(1)
    expect(shown()).toEqual(uuids)
  })

  test('starts with the number in its address, which opens, and leads back to the first one', async () => {
    await openDashboard(`/?from=${uuidOf(51)}`, replies)
    await serviceTitle(2)
    expect(shown()).toEqual(uuids.slice(50))
    expect(hrefOf('RENEW OR BUY PREPAY PLAN')).toBe(`/services/renew/plan-of-${uuidOf(51)}/`)
    await user.click(link('Show the first numbers'))
    await waitFor(() => expect(shown()).toEqual(uuids.slice(0, 50)))
  })

  test('has the open number too, wherever it stands', async () => {
    await openDashboard(`/services/${uuidOf(60)}/`, replies)
    await serviceTitle(1)
    expect(shown()).toEqual([...uuids.slice(0, 50), uuidOf(60)])
  })

  test('counts among the numbers that it shows those that need their owner', async () => {
    const badge = { text: 'Card expired', tone: 'bad' as const }
    const services = uuids.map((uuid) =>
      aService(uuid, uuid === uuidOf(1) || uuid === uuidOf(60) ? { outlook: anOutlook({ badge }) } : {}),
    )
    await openDashboard('/', { ...replies, [list]: byUuid(...services) })
    expect(await screen.findByText('1 of these 50 numbers needs you')).toBeTruthy()
    await user.click(await screen.findByRole('link', { name: 'Show more numbers' }))
    expect(screen.getByText('2 of your 60 numbers need you')).toBeTruthy()
  })
})

describe('phone or tablet', () => {
  test('who has one number sees it in full at once, on a phone too', async () => {
    screenIs('phone')
    await openDashboard('/', { [list]: byUuid(first) })
    expect(await screen.findByRole('heading', { level: 2, name: '021 555 0142' })).toBeTruthy()
    expect(hrefOf('RENEW OR BUY PREPAY PLAN')).toBe('/services/renew/plan-of-a/')
    expect(screen.queryByRole('link', { name: 'My Dashboard' })).toBeNull()
    expect(link('Activate New Sim')).toBeTruthy()
  })

  test('a tablet opens the first service by itself, at the same address', async () => {
    await openDashboard('/')
    await serviceTitle(2)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ana')
    expect(within(entries()[0]!).getByRole('link').getAttribute('aria-current')).toBe('page')
    expect(within(entries()[1]!).getByRole('link').getAttribute('aria-current')).toBeNull()
    expect([location.pathname, screen.getAllByRole('heading', { level: 2, name: '021 555 0142' }).length]).toEqual([
      '/',
      1,
    ])
  })

  test('another is one press away, and BACK leads to the first again', async () => {
    await openDashboard('/')
    await serviceTitle(2)
    await user.click(within(entries()[1]!).getByRole('link'))
    await expect.poll(() => document.activeElement).toBe(await serviceTitle(1))
    expect([location.pathname, within(entries()[1]!).getByRole('link').getAttribute('aria-current')]).toEqual([
      '/services/b/',
      'page',
    ])
    await act(async () => history.back())
    await serviceTitle(2)
    expect([location.pathname, within(entries()[0]!).getByRole('link').getAttribute('aria-current')]).toEqual([
      '/',
      'page',
    ])
  })

  test('a phone shows the list, then the service with a way back', async () => {
    screenIs('phone')
    const api = await openDashboard('/')
    await screen.findByText('600 MB of 5 GB left')
    expect(screen.queryByRole('heading', { name: '25 GB Prepay Plan' })).toBeNull()
    expect(within(entries()[0]!).getByRole('link').getAttribute('aria-current')).toBeNull()
    expect(api.calls.filter(({ at }) => at.includes('usage_summary'))).toHaveLength(2)
    await user.click(link(/027 555 0199/))
    await serviceTitle(1)
    expect(nav()).toBeNull()
    await user.click(link('My Dashboard'))
    expect((await screen.findByRole('heading', { level: 1, name: 'Welcome, Ana' })).closest('nav')).toBe(nav())
    expect(location.pathname).toBe('/')
  })

  test('a service on a phone asks for its own usage only', async () => {
    screenIs('phone')
    const api = await openDashboard('/services/b/')
    await screen.findByText('Updated 10:42 am')
    expect(api.calls.filter(({ at }) => at.includes('usage_summary')).map(({ at }) => at)).toEqual([usageOf('b')])
  })

  test('follows the screen when it is turned', async () => {
    const turn = screenIs('phone')
    await openDashboard('/')
    await screen.findByRole('navigation', { name: 'Welcome, Ana' })
    await turn('tablet')
    await serviceTitle(2)
    await turn('phone')
    expect(screen.queryByRole('heading', { name: '25 GB Prepay Plan' })).toBeNull()
  })

  test('the server, which knows no screen, renders both, and waits for no usage', async () => {
    const api = fakeApi({})
    const client = createQueryClient()
    client.setQueryData(['account'], signedIn())
    client.setQueryData(['services'], byUuid(first, second))
    const pages = definePages([
      ...dashboardPages,
      { path: /^/, title: '', status: 404, load: async () => ({ default: () => null }) },
    ])
    await loadPage(matchPage(pages, '/').page)
    const html = renderToString(
      <Portal
        table={wholeTable(pages)}
        api={api}
        bootstrap={testBootstrap}
        client={client}
        place={{ path: '/', search: '' }}
      />,
    )
    expect(html).toContain('027 555 0199')
    expect(html.replaceAll('<!-- -->', '')).toContain('Plan expires on 14 Feb 2027')
    // Bars are no styles: the page's policy allows none.
    expect(html).not.toContain('style=')
    expect(api.calls).toEqual([])
  })

  test.each(['c', 'constructor', '__proto__'])('no service of this customer is not found: %s', async (uuid) => {
    await openDashboard(`/services/${uuid}/`)
    expect(
      await screen.findByRole('heading', { name: 'Unfortunately we could not find what you were looking for' }),
    ).toBeTruthy()
    await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
    expect(screen.getByRole('contentinfo')).toBeTruthy()
  })
})
