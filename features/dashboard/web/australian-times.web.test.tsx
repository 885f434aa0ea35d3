import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Service } from '#features/services/services.contract.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { portingProgress, portingRequestView, signedInAccount } from '#quality/support/account.ts'
import {
  getDashboardButton,
  dashboardService,
  data,
  list,
  main,
  mockScreenSize,
  servicesByUuid,
  usageSummary,
  getUsageSummaryEndpoint,
} from '#quality/support/dashboard.tsx'
import { australianBootstrap, createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import { products } from '#quality/support/purchase-fixtures.ts'
import { findTimesWithoutZone } from '#quality/support/times-without-zone.ts'
import { dashboardPages } from './dashboard.pages.ts'

const user = userEvent.setup()
/** Midnight in Sydney, at the start of Wed 16 Dec. */
const renewal_date = '2026-12-15T13:00:00Z'

beforeEach(() => void mockScreenSize('tablet'))

async function open(summary: UsageSummary, change: Partial<Service> = {}): Promise<void> {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [list]: servicesByUuid(dashboardService('a', change)),
    [getUsageSummaryEndpoint('a')]: summary,
    'GET /api/products/': products,
  })
  await openPortal(dashboardPages, '/services/a/', api, australianBootstrap)
  await screen.findByRole('heading', { level: 1 })
}

describe('times on the service page in Australia, which has five time zones', () => {
  test('the page names Sydney time after the time of the last reading and after the day on which data renews', async () => {
    await open(usageSummary({ renewal_date }))
    await screen.findByText('Updated 8:42 am Sydney time')
    expect(main()).toContain('Data renews at midnight on 16 Dec 2026, Sydney time')
    expect(findTimesWithoutZone(main())).toEqual([])
  })

  test('the explanation of the days remaining names Sydney time after the day on which the plan ends', async () => {
    await open(usageSummary({ renewal_date, plan: { is_final_cycle: true } }))
    await screen.findByText('Updated 8:42 am Sydney time')
    await user.click(getDashboardButton('What does ‘days remaining’ mean?'))
    expect(main()).toContain('It ends at midnight on 16 Dec 2026, Sydney time, so your last day is 15 Dec 2026.')
  })

  test('the page names Sydney time after the day on which data renews once all data is used', async () => {
    await open(usageSummary({ renewal_date, plan: { entitlements: [data(25, 0)] } }))
    await screen.findByRole('heading', { name: 'Your data is used up' })
    expect(main()).toContain('Your data renews at midnight on 16 Dec 2026, Sydney time. Calls and texts still work.')
  })

  test('the last known usage names Sydney time', async () => {
    const last_known = { entitlements: [data(25, 17.84)], read_at: '2026-11-21T07:58:00Z' }
    await open(usageSummary({ addons: null, read_at: null, plan: { entitlements: null, last_known } }))
    await expect.poll(main).toContain('You had 17.84 GB of 25 GB left at 6:58 pm Sydney time.')
  })

  test('the number transfer banner names Sydney time after the time by which the customer must enter the code', async () => {
    const progress = portingProgress({ step: 'reply', reply_by: '2026-11-22T23:40:00.000Z' })
    await open(usageSummary({ renewal_date }), { porting_request: portingRequestView({ status: 2, progress }) })
    await expect.poll(main).toContain('by 10:40 am Sydney time, or the transfer will be cancelled.')
  })
})
