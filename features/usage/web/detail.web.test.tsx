import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { anonymousAccount, signedInAccount, twoServices } from '#quality/support/account.ts'
import {
  australianBootstrap,
  type Call,
  createFakeApi,
  openPortal,
  type Reply,
  testBootstrap,
} from '#quality/support/open-portal.tsx'
import { type UsageDetail, usageMessages } from '../usage.contract.ts'
import { usagePages } from './usage.pages.ts'

const user = userEvent.setup()
const uuid = 'uuid-+64215550142'
const path = `/services/${uuid}/detail/`
const read = `GET /api/account/usage_detail/${encodeURIComponent(uuid)}/`

const dayBefore = (days: number): string => new Date(Date.UTC(2026, 10, 21 - days)).toISOString().slice(0, 10)

const week = (page = 0, change: Partial<UsageDetail> = {}): UsageDetail => ({
  start_date: dayBefore(7 * page + 6),
  end_date: dayBefore(7 * page),
  data_usage: [6, 5, 4, 3, 2, 1, 0].map((days) => ({
    date: dayBefore(7 * page + days),
    value: days === 5 ? 0 : 100.25 * (days + 1),
  })),
  voice_usage: [
    { date: '2026-11-20T21:42:00Z', destination: '+64215550191', duration: 3723 },
    { date: '2026-11-16T00:05:00Z', destination: '', duration: 7 },
  ],
  txt_usage: [{ date: '2026-11-19T11:00:00Z', destination: '+61412345678' }],
  read_at: '2026-11-20T21:42:10.000Z',
  ...change,
})

const byPage: Reply = ({ query }: Call) => week(Number((query as { page?: string } | undefined)?.page ?? 0))

async function open({
  at = path,
  reply = byPage as Reply,
  bootstrap = testBootstrap,
  ...replies
}: { at?: string; reply?: Reply; bootstrap?: Bootstrap } & Record<string, Reply | string | Bootstrap> = {}) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/services/': twoServices,
    'GET /api/account/plan_advice/': {},
    [read]: reply,
    ...(replies as Record<string, Reply>),
  })
  await openPortal(usagePages, at, api, bootstrap)
  return api
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const tab = (name: string) => screen.findByRole('tab', { name })
const shown = () => screen.findByText(/^Updated \d/)
const panel = () => within(screen.getByRole('tabpanel'))
const rows = () =>
  panel()
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))
const arrow = (name: 'Earlier week' | 'Later week') => screen.getByRole('button', { name })
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'
const refresh = () => screen.getByRole('button', { name: 'Refresh' })
const updated = () =>
  within(screen.getByRole('main'))
    .getAllByRole('status')
    .find(({ tagName }) => tagName === 'P')!
const asked = (api: { calls: Call[] }) => api.calls.filter(({ at }) => at === read).map(({ query }) => query)

test('the usage page shows the last 7 days of data as a table, and as a chart that is hidden from screen readers', async () => {
  await open()
  await heading('Usage Detail')
  await shown()
  expect((await tab('Data')).getAttribute('aria-selected')).toBe('true')
  expect(rows()).toEqual([
    ['Date', 'Data Usage (MB)'],
    ['21 Nov 2026', '100.3'],
    ['20 Nov 2026', '200.5'],
    ['19 Nov 2026', '300.8'],
    ['18 Nov 2026', '401.0'],
    ['17 Nov 2026', '501.3'],
    ['16 Nov 2026', '0.0'],
    ['15 Nov 2026', '701.8'],
  ])
  expect(screen.getByRole('tabpanel').textContent).toContain('2.21 GB used')
  const chart = screen.getByRole('tabpanel').querySelector('svg')
  expect(chart?.getAttribute('aria-hidden')).toBe('true')
  expect(chart?.querySelectorAll('rect')).toHaveLength(7)
})

test('the usage chart has two empty days on either side, and its bars are proportional to the usage', async () => {
  await open()
  await shown()
  const bars = [...document.querySelectorAll('rect')].map((bar) => ({
    x: Number.parseFloat(bar.getAttribute('x') ?? ''),
    height: Number(bar.getAttribute('height')),
  }))
  const slot = 100 / 11
  bars.forEach(({ x }, index) => expect(Math.floor(x / slot)).toBe(index + 2))
  expect(bars[1]?.height).toBe(0)
  expect((bars[0]?.height ?? 0) / (bars[6]?.height ?? 1)).toBeCloseTo(7, 10)
})

test('the usage page lists each call with its date, time, number in national format and duration', async () => {
  await open()
  await shown()
  await user.click(await tab('Calls'))
  expect(rows()).toEqual([
    ['Date', 'To Number', 'Duration'],
    ['21 Nov 2026, 10:42 am', '021 555 0191', '1:02:03'],
    ['16 Nov 2026, 1:05 pm', 'Unknown', '0:07'],
  ])
  expect(panel().getByText('Calls and texts to helplines are never listed here.')).toBeTruthy()
})

test('the usage page lists each text with its date and number', async () => {
  await open()
  await shown()
  await user.click(await tab('SMS'))
  expect(rows()).toEqual([
    ['Date', 'To Number'],
    ['20 Nov 2026, 12:00 am', '+61 412 345 678'],
  ])
})

test.each([
  ['Data', 'No data used in these 7 days.'],
  ['Calls', 'No calls in these 7 days. Calls and texts to helplines are never listed here.'],
  ['SMS', 'No texts in these 7 days. Calls and texts to helplines are never listed here.'],
])('the tab %s of the usage page says that nothing was used', async (name, sentence) => {
  await open({
    reply: week(0, {
      data_usage: week().data_usage.map(({ date }) => ({ date, value: 0 })),
      voice_usage: [],
      txt_usage: [],
    }),
  })
  await shown()
  await user.click(await tab(name))
  expect(screen.getByRole('tabpanel').textContent).toBe(sentence)
})

test('the usage page links back to the service', async () => {
  await open()
  await heading('Usage Detail')
  expect(
    within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
      .getByRole('link', { name: '021 555 0142' })
      .getAttribute('href'),
  ).toBe(`/services/${uuid}/`)
})

describe('moving between weeks on the usage page', () => {
  const weekShown = () => screen.getByRole('group', { name: 'Week' }).textContent

  test('the usage page goes back five weeks, and the URL contains the week that is shown', async () => {
    const api = await open()
    await shown()
    expect(weekShown()).toBe('Last 7 days15 Nov 2026 – 21 Nov 2026')
    expect([isOff(arrow('Earlier week')), isOff(arrow('Later week'))]).toEqual([false, true])
    await user.click(arrow('Later week'))
    expect(location.search).toBe('')
    for (const page of [1, 2, 3, 4]) {
      await user.click(arrow('Earlier week'))
      expect(location.search).toBe(`?page=${page}`)
    }
    await expect.poll(weekShown).toBe('4 weeks earlier18 Oct 2026 – 24 Oct 2026')
    expect([isOff(arrow('Earlier week')), isOff(arrow('Later week'))]).toEqual([true, false])
    await user.click(arrow('Earlier week'))
    expect(location.search).toBe('?page=4')
    await expect.poll(() => document.activeElement).toBe(arrow('Earlier week'))
    expect(asked(api)).toEqual([undefined, { page: '1' }, { page: '2' }, { page: '3' }, { page: '4' }])
  })

  test('the browser’s back button returns to a loaded week of usage on the same tab, without a new request', async () => {
    const api = await open({ at: `${path}?page=1` })
    await shown()
    await user.click(await tab('Calls'))
    await user.click(arrow('Later week'))
    expect(location.pathname + location.search).toBe(path)
    await expect.poll(weekShown).toMatch(/^Last 7 days15 Nov/)
    history.back()
    await expect.poll(weekShown).toBe('1 week earlier08 Nov 2026 – 14 Nov 2026')
    expect((await tab('Calls')).getAttribute('aria-selected')).toBe('true')
    expect(asked(api)).toEqual([{ page: '1' }, undefined])
  })

  test.each(['?page=2', '?page=5', '?page=-1', '?page=abc', '?page=', '?page=1.5', '?page=00'])(
    'with the query %s, the usage page loads that week, or the newest week if the query is invalid',
    async (search) => {
      const api = await open({ at: path + search })
      await shown()
      expect(asked(api)).toEqual([search === '?page=2' ? { page: '2' } : undefined])
    },
  )
})

test('in Australia, the usage page names Sydney time after the last update and once above the calls and texts', async () => {
  await open({ bootstrap: australianBootstrap })
  await shown()
  expect(updated().textContent).toBe('Updated 8:42 am Sydney time')
  for (const name of ['Calls', 'SMS']) {
    await user.click(await tab(name))
    expect(panel().getByText('Times are in Sydney time.')).toBeTruthy()
  }
})

describe('refreshing the usage page', () => {
  test('the usage page shows when usage was read, and Refresh reads it again', async () => {
    const api = await open()
    await shown()
    expect(updated().textContent).toBe('Updated 10:42 am')
    const next = Promise.withResolvers<UsageDetail>()
    api.replies[read] = next.promise
    await user.click(refresh())
    expect(updated().textContent).toBe('Updating')
    expect(isOff(refresh())).toBe(true)
    await user.click(refresh())
    expect(rows()).toHaveLength(8)
    next.resolve(week(0, { read_at: '2026-11-20T23:03:00.000Z' }))
    await expect.poll(() => updated().textContent).toBe('Updated 12:03 pm')
    expect(asked(api)).toHaveLength(2)
    await expect.poll(() => document.activeElement).toBe(refresh())
  })

  test('the usage page shows the phone number and a placeholder while usage is loading', async () => {
    const answer = Promise.withResolvers<UsageDetail>()
    await open({ reply: answer.promise })
    await heading('Usage Detail')
    expect(screen.getByRole('link', { name: '021 555 0142' })).toBeTruthy()
    expect(panel().getByText('Loading')).toBeTruthy()
    answer.resolve(week())
    await shown()
    expect(screen.queryByText('Loading')).toBeNull()
  })

  test.each([
    new ApiError(424, { code: usageMessages.detailUnavailable }),
    new ApiError(500, undefined),
    new ApiError(0, undefined),
    new ApiError(429, {}),
  ])('the usage page shows an error when usage cannot be read, and Refresh tries again ($status)', async (failure) => {
    const api = await open({ reply: failure })
    expect((await screen.findByText(usageMessages.detailUnavailable)).closest('[role=alert]')).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
    api.replies[read] = byPage
    await user.click(refresh())
    await shown()
    expect(screen.queryByText(usageMessages.detailUnavailable)).toBeNull()
  })

  test('if refreshing the usage page fails, the page keeps the usage that it was showing', async () => {
    const api = await open()
    await shown()
    api.replies[read] = new ApiError(424, { code: usageMessages.detailUnavailable })
    await user.click(refresh())
    await screen.findByText(usageMessages.detailUnavailable)
    expect(rows()).toHaveLength(8)
    expect(updated().textContent).toBe('Updated 10:42 am')
  })
})

describe('usage page for a service that the customer does not have', () => {
  const missing = '11111111-1111-4111-8111-111111111111'
  const none = 'Unfortunately we could not find what you were looking for'
  const at = `/services/${missing}/detail/`
  const notFound = { [`GET /api/account/usage_detail/${missing}/`]: new ApiError(404, {}) }

  test('the usage URL of another customer’s service shows the not-found page', async () => {
    await open({ at, ...notFound })
    expect(await heading(none)).toBeTruthy()
    await expect.poll(() => document.title).toBe('Not Found · Fantail Mobile')
  })

  test('the usage URL of another customer’s service shows the not-found page even if the services do not load', async () => {
    await open({ at, ...notFound, 'GET /api/services/': new ApiError(500, undefined) })
    expect(await heading(none)).toBeTruthy()
  })
})

test('a signed-out visitor to the usage page is redirected to the login page', async () => {
  await open({ at: `${path}?page=2`, 'GET /api/account/': anonymousAccount })
  await expect
    .poll(() => location.pathname + location.search)
    .toBe(`/login/?next=${encodeURIComponent(`${path}?page=2`)}`)
})
