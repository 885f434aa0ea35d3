import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { type FakeApi, createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import type { NumberOrder, NumberPage, NumberView } from '../number.contract.ts'
import type { UsageWeek } from '../daily-usage.contract.ts'
import type { NumberUsage } from '../usage.contract.ts'
import { customersPages } from './customers.pages.ts'

const user = userEvent.setup()
const at = '/api/desk/customers/c1/numbers/n1/'
const get = `GET ${at}`

const order = (code: string, more: Partial<NumberOrder> = {}): NumberOrder => ({
  code,
  what: 'Renewal by card',
  said: 'Completed',
  tone: 'good',
  title: '5 GB Prepay Plan',
  at: '2026-11-20T21:00:00.000Z',
  amount: '22.00',
  ...more,
})

const number: NumberView = {
  id: 'n1',
  number: '021 555 0142',
  name: 'Son’s phone',
  state: 'active',
  since: '2025-03-14T00:00:00.000Z',
  released: null,
  plan: { title: '25 GB Prepay Plan', length: 30, starts: '2026-11-24', ends: '2026-12-23T11:00:00.000Z' },
  goes_back: '2027-02-21T11:00:00.000Z',
  next_plan: null,
  renewal: {
    is_on: true,
    is_charging: false,
    trouble: 'Not enough funds on Visa ending 1111',
    tries: [order('FT7KQ2M9XDRA', { said: 'Refused: Not enough balance', tone: 'bad', what: 'Auto-renewal by card' })],
    next: {
      at: '2026-12-22T02:00:00.000Z',
      amount: '43.00',
      plan: '25 GB Prepay Plan',
      card: 'Visa •••• 1111',
      again: ['2026-12-22T08:00:00.000Z'],
    },
  },
  sim: { masked: '•••• 0142', since: '2025-03-14T00:00:00.000Z' },
  ports: [],
  orders: [order('FT0W3ECJ91PM')],
}
const closed: NumberPage = { name: 'Ana Ta•••••', opened: null, number: null }
const opened: NumberPage = {
  name: 'Ana Tamihana',
  opened: { why: 'A call', until: '2026-11-20T21:30:00.000Z' },
  number,
}
const withNumber = (change: Partial<NumberView>): NumberPage => ({ ...opened, number: { ...number, ...change } })

const use: NumberUsage = {
  left: { name: 'Data', amount: 4.1, total: 25, unit: 'GB', read: new Date().toISOString() },
  others: [{ name: 'Calls', amount: 120, total: 200, unit: 'Mins' }],
  add_ons: [
    {
      id: 'a1',
      name: 'Extra 2 GB',
      ends: '2026-12-20T11:00:00.000Z',
      is_for_roaming: false,
      left: [{ name: 'Data', amount: 1.5, total: 2, unit: 'GB' }],
    },
  ],
  is_silent: false,
}
const days = (megabytes: number): UsageWeek => ({
  days: ['20', '21', '22', '23', '24', '25', '26'].map((day, index) => ({
    day: `2026-11-${day}`,
    megabytes: index * megabytes,
    call_seconds: index === 6 ? 90 : 0,
    texts: index,
  })),
  read: new Date().toISOString(),
})

async function open(replies: Record<string, Reply>): Promise<FakeApi> {
  const me = { id: 's1', name: 'Hine Walker', email: 'h@x.nz', roles: ['support'], is_lead: false, passkeys: 2 }
  const api = createFakeApi({
    'GET /api/desk/me/': { staff: me, demo: [] },
    [`${get}use/`]: use,
    [`${get}days/`]: days(100),
    ...replies,
  })
  await openPortal(customersPages, '/customers/c1/numbers/n1/', api)
  return api
}
const callsTo = (api: FakeApi, path: string) => api.calls.filter((call) => call.at === path)
const panel = (name: string) => within(screen.getByRole('region', { name }))

test('a phone number’s page shows only a masked name until a reason is given', async () => {
  const api = await open({ [get]: closed, 'POST /api/desk/customers/c1/open/': {} })
  expect(await screen.findByRole('heading', { name: 'Ana Ta•••••' })).toBeDefined()
  expect(callsTo(api, `${get}days/`)).toEqual([])
  api.replies[get] = opened
  await user.click(screen.getByRole('button', { name: 'A call' }))
  expect(await screen.findByRole('heading', { level: 1, name: '021 555 0142' })).toBe(document.activeElement)
})

test('a phone number’s page shows usage, plan dates, the next charge and refused payments', async () => {
  await open({ [get]: opened })
  await screen.findByText('4.1 of 25 GB')
  const plan = panel('25 GB Prepay Plan')
  for (const words of ['120 of 200 Mins', '30 days', '24 Nov 2026', '24 Dec 2026', '22 Feb 2027, unless renewed'])
    expect(plan.getByText(words)).toBeDefined()
  const renewal = panel('Auto-renewal')
  for (const words of ['On', 'Not enough funds on Visa ending 1111.', '$43.00', 'Visa •••• 1111'])
    expect(renewal.getByText(words)).toBeDefined()
  expect(renewal.getByText(/^22 Dec 2026, 15:00/)).toBeDefined()
  expect(renewal.getByText(/^22 Dec 2026, 21:00/)).toBeDefined()
  expect(renewal.getByText('Refused: Not enough balance')).toBeDefined()
  expect(renewal.getByRole<HTMLAnchorElement>('link', { name: 'FT7KQ2M9XDRA' }).pathname).toBe('/orders/FT7KQ2M9XDRA/')
  expect(panel('Orders').getByRole<HTMLAnchorElement>('link', { name: 'FT0W3ECJ91PM' }).pathname).toBe(
    '/orders/FT0W3ECJ91PM/',
  )
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Ana Tamihana' }).pathname).toBe('/customers/c1/')
  expect(panel('SIM and number').getByText('New number from us')).toBeDefined()
})

test('if auto-renewal is off, the phone number’s page says that no charge is scheduled and how the next plan was paid for', async () => {
  const next = { title: '5 GB Prepay Plan', length: 30, starts: '2026-12-24', paid: '2026-11-20' } as const
  await open({
    [get]: withNumber({
      renewal: { is_on: false, is_charging: false, trouble: null, tries: [], next: null },
      next_plan: { ...next, paid_with: 'voucher', amount: '0.00', order_code: 'FTB40HT2WQ8N' },
      goes_back: null,
    }),
  })
  expect(await screen.findByText('No automatic charge is scheduled.')).toBeDefined()
  const plan = panel('25 GB Prepay Plan')
  expect(plan.getByText('5 GB Prepay Plan, 30 days, from 24 Dec 2026')).toBeDefined()
  expect(plan.getByText(/^Paid by voucher on 20 Nov 2026/)).toBeDefined()
  expect(plan.queryByText('Number released')).toBeNull()
})

test('if a charge is in progress, the phone number’s page shows it and does not say that no charge is scheduled', async () => {
  await open({
    [get]: withNumber({ renewal: { is_on: true, is_charging: true, trouble: null, tries: [], next: null } }),
  })
  expect(await screen.findByText('A charge is in progress.')).toBeDefined()
  expect(screen.queryByText('No automatic charge is scheduled.')).toBeNull()
})

test('the daily usage table lists the newest day first, marks the start of the plan and can be paged by week', async () => {
  const api = await open({ [get]: opened })
  const table = within(await screen.findByRole('table', { name: 'Daily usage, newest first' }))
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'DayChartDataCallsTexts',
    'Thu 26 Nov600 MB2 min6',
    'Wed 25 Nov500 MB0 min5',
    'Tue 24 Novplan started400 MB0 min4',
    'Mon 23 Nov300 MB0 min3',
    'Sun 22 Nov200 MB0 min2',
    'Sat 21 Nov100 MB0 min1',
    'Fri 20 Nov0 MB0 min0',
  ])
  expect(screen.getByText('2.1 GB in these 7 days, updated just now')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Next week' })).toBeNull()
  api.replies[`${get}days/`] = days(10)
  await user.click(screen.getByRole('button', { name: 'Previous week' }))
  expect(await screen.findByText(/^210 MB in these 7 days/)).toBeDefined()
  expect(callsTo(api, `${get}days/`).map(({ query }) => query)).toEqual([{ week: '0' }, { week: '1' }])
  await user.click(screen.getByRole('button', { name: 'Next week' }))
  expect(await screen.findByText(/^2\.1 GB in these 7 days/)).toBeDefined()
})

test('while the network is not responding, a phone number’s page says that usage is missing, and can request it again', async () => {
  const api = await open({
    [get]: opened,
    [`${get}use/`]: { ...use, left: null, add_ons: null, is_silent: true },
    [`${get}days/`]: new ApiError(424, { code: 'Unfortunately, it is not available.' }),
  })
  expect(await screen.findByText('Daily usage is not available: no answer from the network.')).toBeDefined()
  expect(screen.getByText('The remaining allowance is not available: no answer from the network.')).toBeDefined()
  expect(screen.getByText('We couldn’t load the add-ons: no answer from the network.')).toBeDefined()
  api.replies[`${get}days/`] = days(100)
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText(/^2\.1 GB in these 7 days/)).toBeDefined()
})

test('a phone number’s page shows how much is left of an active add-on, and when it ends', async () => {
  await open({ [get]: opened })
  const bar = await screen.findByRole('progressbar', { name: 'Extra 2 GB: Data left' })
  expect(bar.getAttribute('aria-valuetext')).toBe('1.5 of 2 GB')
  expect(panel('Add-ons').getByText(', until 21 Dec 2026')).toBeDefined()
})

const eye = () => screen.findByRole('button', { name: 'Show the SIM number' })

test('the eye button on a phone number’s page reveals the full SIM number', async () => {
  const api = await open({ [get]: opened, [`POST ${at}show-sim/`]: { iccid: '8964031234567890142' } })
  await user.click(await eye())
  expect(await screen.findByText('8964031234567890142')).toBeDefined()
  // Every request for this page's data is recorded as a view of the customer, so the page must not request it again.
  expect(callsTo(api, get)).toHaveLength(1)
})

test('once access to a customer’s record has expired, revealing a SIM number asks for a reason again', async () => {
  const api = await open({ [get]: opened, [`POST ${at}show-sim/`]: new ApiError(403, { code: 'x', why: true }) })
  const button = await eye()
  api.replies[get] = closed
  await user.click(button)
  expect(await screen.findByText('Why do you need to see this customer?')).toBeDefined()
})

test('a transferred phone number’s page links to its number transfer', async () => {
  const port = { words: '021 555 0142 from One NZ, moved', at: '2026-11-20T21:00:00.000Z', has_moved: true }
  await open({ [get]: withNumber({ ports: [{ ...port, reference: 'r1' }] }) })
  const line = await screen.findByRole<HTMLAnchorElement>('link', { name: '021 555 0142 from One NZ, moved' })
  expect(line.pathname).toBe('/ports/r1/')
  expect(screen.queryByText('New number from us')).toBeNull()
})

test('a released phone number’s page shows neither usage nor auto-renewal', async () => {
  const api = await open({
    [get]: withNumber({ state: 'released', released: '2026-11-01T11:00:00.000Z', renewal: null, goes_back: null }),
  })
  expect(await screen.findByText('02 Nov 2026')).toBeDefined()
  for (const none of ['Auto-renewal', 'Daily usage', 'Add-ons'])
    expect(screen.queryByRole('region', { name: none })).toBeNull()
  expect(callsTo(api, `${get}use/`)).toEqual([])
})

test('a phone number’s page says so if the number is unknown or could not be loaded', async () => {
  const api = await open({ [get]: new ApiError(500, undefined) })
  expect(await screen.findByText('We couldn’t load this number.')).toBeDefined()
  api.replies[get] = new ApiError(404, { code: 'Not found.' })
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(screen.getByText('This number doesn’t belong to this customer.')).toBeDefined())
})
