import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { signedInAccount, twoServices } from '#quality/support/account.ts'
import { createFakeApi, openPortal, type Reply } from '#quality/support/open-portal.tsx'
import { type History, historyMessages } from '../history.contract.ts'
import { computeChartBars } from './chart-bars.ts'
import { historyPages } from './history.pages.ts'
import { cycleLabel } from './history.labels.ts'

const user = userEvent.setup()
const uuid = 'uuid-+64215550142'
const read = `GET /api/account/usage_history/${encodeURIComponent(uuid)}/`

type Cycle = History['cycles'][number]
const cycle = (starts_on: string, last_day: string, change: Partial<Cycle> = {}): Cycle => ({
  starts_on,
  last_day,
  plan: '25 GB Prepay Plan',
  data_gb: 25,
  used_mb: 9_200,
  ran_out_on: null,
  reading: 'known',
  cut_short: false,
  ...change,
})
const months = Array.from({ length: 12 }, (_, at) => {
  const month = Temporal.PlainYearMonth.from('2025-12').add({ months: at }).toString()
  return { month, spent: month === '2026-10' ? '109.65' : month === '2026-11' ? '-10.00' : '0.00' }
})
const year = (cycles: Cycle[]): History => ({
  phone_number: '021 555 0142',
  starts_on: '2025-12-01',
  last_day: '2026-11-30',
  cycles,
  months,
  spent: '99.65',
})
const some = year([
  cycle('2025-12-20', '2026-01-18', { used_mb: null, reading: 'unknown' }),
  cycle('2026-09-13', '2026-10-12', { used_mb: 25_000, ran_out_on: '2026-10-09' }),
  cycle('2026-10-13', '2026-10-20', { used_mb: 950, cut_short: true }),
  cycle('2026-10-20', '2026-11-18', { used_mb: null, reading: 'awaited' }),
])

async function open(reply: Reply) {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    'GET /api/services/': twoServices,
    [read]: reply,
  })
  await openPortal(historyPages, `/services/${uuid}/history/`, api)
  return api
}
const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent))

describe('the history page for the last 12 months', () => {
  test('the history page lists data by cycle and spending by month, newest first, and marks cycles whose usage is unknown', async () => {
    await open(some)
    await screen.findByRole('heading', { level: 1, name: '12 months' })
    expect(
      rowsOf('Data by cycle, newest first').map((row) => row.map((cell) => cell?.replaceAll('\u00A0', ' '))),
    ).toEqual([
      ['20 Oct – 18 Nov 2026', 'Not available yet', '25 GB'],
      ['13 Oct – 20 Oct 2026Ended early because the plan was renewed', '950 MB', '25 GB'],
      ['13 Sep – 12 Oct 2026Data ran out on 9 Oct', '25 GB', '25 GB'],
      ['20 Dec 2025 – 18 Jan 2026', 'Not available', '25 GB'],
    ])
    expect(rowsOf('Spending by month, newest first').slice(0, 2)).toEqual([
      ['Nov\u00A02026', '-$10.00'],
      ['Oct\u00A02026', '$109.65'],
    ])
    expect(screen.getByText('$99.65')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toBe(
      `/documents/${uuid}/history.csv`,
    )
  })

  test('before the first cycle has ended, the history page explains when that cycle will appear', async () => {
    await open(year([]))
    expect(await screen.findByText(historyMessages.none)).toBeTruthy()
    expect(screen.getByRole('table', { name: /Spend/ })).toBeTruthy()
  })

  test('the history page shows an error when the usage history fails to load, and Try Again reloads it', async () => {
    const api = await open(new ApiError(500, {}))
    await screen.findByText(historyMessages.unavailable)
    api.replies[read] = some
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('table', { name: /Data by cycle/ })).toBeTruthy()
  })

  test('shows the not-found page for the history of a number that was never the customer’s', async () => {
    await open(new ApiError(404, {}))
    expect(await screen.findByRole('heading', { name: /could not find/ })).toBeTruthy()
  })
})

test('the history chart’s bars are placed by date and scaled to the highest value', () => {
  const { used, spent, mostMb, mostSpent } = computeChartBars(some)
  expect([mostMb, mostSpent]).toEqual([25_000, 109.65])
  expect(used.map(({ height, isKnown }) => [height, isKnown])).toEqual([
    [0, false],
    [1, true],
    [0.038, true],
    [0, false],
  ])
  const [, second] = used
  expect(second?.left).toBeCloseTo(286 / 365, 5)
  expect(second?.right).toBeCloseTo(316 / 365, 5)
  expect(spent.at(-1)).toMatchObject({ height: 0, right: 1 })
  expect(
    computeChartBars({ ...year([]), months: months.map(({ month }) => ({ month, spent: '0.00' })) }).spent[0]?.height,
  ).toBe(0)
})

test('a date range of a single day is displayed as one date with the year', () => {
  expect(cycleLabel({ starts_on: '2026-10-13', last_day: '2026-10-13' })).toBe('13\u00A0Oct 2026')
})
