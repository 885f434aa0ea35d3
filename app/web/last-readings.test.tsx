import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { anonymousAccount, signedInAccount, twoServices } from '#quality/support/account.ts'
import { testBootstrap } from '#quality/support/open-portal.tsx'
import { storeLastReadings } from './last-readings.ts'

const place = 'last-readings'
const [uuid = ''] = Object.keys(twoServices)
const kept = () => JSON.parse(localStorage.getItem(place) ?? 'null')

const summaryOf = (amount: number): UsageSummary => ({
  plan: {
    title: '25 GB',
    entitlements: [
      { name: 'Data', totalAllowance: { amount: 25, unit: 'GB' }, remainingAllowance: { amount, unit: 'GB' } },
    ],
    last_known: null,
    renewal_length: 30,
    is_final_cycle: false,
    cycles: 3,
  },
  expiry_date: '2027-01-10T11:00:00Z',
  renewal_date: '2026-12-11T11:00:00Z',
  days_remaining: 20,
  addons: [],
  forecast: null,
  is_expired: false,
  read_at: '2026-11-21T07:58:00Z',
})

const register = vi.fn<(path: string) => Promise<void>>(async () => {})

function begin(account: object = signedInAccount()) {
  const client = createQueryClient({ retries: 0 })
  client.setQueryData(['account'], account)
  client.setQueryData(['services'], twoServices)
  storeLastReadings(client, testBootstrap)
  return client
}

beforeEach(() => {
  localStorage.clear()
  register.mockClear()
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: { register } })
  onTestFinished(() => void vi.unstubAllGlobals())
})

test('a phone number’s usage reading is stored without the customer’s email address, and is replaced by newer readings', async () => {
  const client = begin()
  client.setQueryData(['usage-summary', uuid], summaryOf(17.84))
  await vi.waitFor(() => expect(kept()?.readings).toHaveLength(1))
  expect(kept()).toEqual({
    owner: expect.stringMatching(/^[\da-f]{16}$/),
    readings: [{ uuid, name: 'Number ending in 142', left: '17.84 GB of 25 GB left', at: 'Sat 21 Nov, 8:58 pm' }],
  })
  expect(localStorage.getItem(place)).not.toContain('ana@example.nz')
  await vi.waitFor(() => expect(register).toHaveBeenCalledExactlyOnceWith('/service-worker.js'))
  client.setQueryData(['usage-summary', uuid], summaryOf(3))
  await vi.waitFor(() => expect(kept().readings[0].left).toBe('3 GB of 25 GB left'))
  expect(register).toHaveBeenCalledOnce()
})

test('a stored usage reading survives a reload and is deleted along with its service', async () => {
  begin().setQueryData(['usage-summary', uuid], summaryOf(17.84))
  await vi.waitFor(() => expect(kept()?.readings).toHaveLength(1))
  const later = begin()
  later.setQueryData(['usage-summary', uuid], { ...summaryOf(1), read_at: null })
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(2))
  expect(kept().readings[0].left).toBe('17.84 GB of 25 GB left')
  later.setQueryData(['services'], {})
  await vi.waitFor(() => expect(kept()).toBeNull())
})

test('stored usage readings are kept while only part of the list of services has been loaded', async () => {
  begin().setQueryData(['usage-summary', uuid], summaryOf(17.84))
  await vi.waitFor(() => expect(kept()?.readings).toHaveLength(1))
  const later = createQueryClient({ retries: 0 })
  later.setQueryData(['account'], signedInAccount())
  later.setQueryData(['services'], {}, 0)
  storeLastReadings(later, testBootstrap)
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(2))
  expect(kept().readings[0].left).toBe('17.84 GB of 25 GB left')
  later.setQueryData(['services'], {})
  await vi.waitFor(() => expect(kept()).toBeNull())
})

test.each([
  ['a visitor who is not signed in', anonymousAccount],
  ['another customer', signedInAccount({ email: 'mallory@example.nz' })],
])('stored usage readings are deleted for %s', async (_who, account) => {
  begin().setQueryData(['usage-summary', uuid], summaryOf(17.84))
  await vi.waitFor(() => expect(kept()?.readings).toHaveLength(1))
  begin(account)
  await vi.waitFor(() => expect(kept()).toBeNull())
})

test('usage readings are not stored again after a different tab has cleared them on logout', async () => {
  const client = begin()
  client.setQueryData(['usage-summary', uuid], summaryOf(17.84))
  await vi.waitFor(() => expect(kept()?.readings).toHaveLength(1))
  localStorage.removeItem(place)
  client.setQueryData(['usage-summary', uuid], summaryOf(3))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(kept()).toBeNull()
})

test('usage readings are not stored in a browser without service workers', async () => {
  vi.stubGlobal('navigator', {})
  begin().setQueryData(['usage-summary', uuid], summaryOf(17.84))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(kept()).toBeNull()
})
