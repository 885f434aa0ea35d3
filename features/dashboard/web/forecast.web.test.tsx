import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { usagePages } from '#features/usage/web/usage.pages.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { signedInAccount } from '#quality/support/account.ts'
import {
  usageSummary,
  servicesByUuid,
  first,
  getLinkHref,
  list,
  main,
  openService,
  mockScreenSize,
  summaryWithoutUsage,
  getUsageSummaryEndpoint,
} from '#quality/support/dashboard.tsx'
import { createFakeApi, openPortal } from '#quality/support/open-portal.tsx'

beforeEach(() => void mockScreenSize('tablet'))

const lasts = {
  text: 'At about **0.7 GB** a day your data should last until it renews on 12 Dec 2026.',
  add_data: null,
}
const runsOut = {
  text: 'At about **1.4 GB** a day your data runs out around **03 Dec 2026**, about 9 days early.',
  add_data: 'Add data from $4.00',
}

test('shows the data forecast with its key figure in bold', async () => {
  await openService(first, usageSummary({ forecast: lasts }))
  const pace = await screen.findByText('0.7 GB')
  expect(pace.tagName).toBe('STRONG')
  expect(main()).toContain('At about 0.7 GB a day your data should last until it renews on 12 Dec 2026.')
  expect(screen.queryByRole('link', { name: /^Add data/ })).toBeNull()
})

test('links to add-ons when data is forecast to run out early', async () => {
  await openService(first, usageSummary({ forecast: runsOut }))
  await screen.findByText('03 Dec 2026')
  expect(getLinkHref('Add data from $4.00')).toBe('/services/a/addons/')
})

test('does not show a data forecast when the response contains none', async () => {
  await openService(first)
  await screen.findByText(/^Updated/)
  expect(main()).not.toMatch(/a day/)
})

test('shows the last known forecast while the network does not respond', async () => {
  await openService(first, { ...summaryWithoutUsage, forecast: lasts })
  await screen.findByText('0.7 GB')
  expect(main()).toContain('should last until it renews')
})

test('the usage page also shows the data forecast and its link to add-ons', async () => {
  const path = '/services/a/detail/'
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [list]: servicesByUuid(first),
    [getUsageSummaryEndpoint('a')]: usageSummary({ forecast: runsOut }) satisfies UsageSummary,
    'GET /api/account/usage_detail/a/': () => Promise.withResolvers<never>().promise,
  })
  await openPortal(usagePages, path, api)
  await screen.findByText('03 Dec 2026')
  expect(getLinkHref('Add data from $4.00')).toBe('/services/a/addons/')
})
