import { act, screen, within } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { dashboardPages } from '#features/dashboard/web/dashboard.pages.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { numberRetentionMessages, type PlanStatusView, type Service } from '#features/services/services.contract.ts'
import type { Entitlement, OwnedAddOn, UsageSummary } from '#features/usage/usage.contract.ts'
import { buildPlanStatus, signedInAccount } from './account.ts'
import { type Call, createFakeApi, type FakeApi, openPortal, type Reply } from './open-portal.tsx'

export const list = 'GET /api/services/'
export const getUsageSummaryEndpoint = (uuid: string) => `GET /api/account/usage_summary/${uuid}/`

export function dashboardService(
  uuid: string,
  { renews = false, ...change }: Partial<Service> & { renews?: boolean } = {},
): Service {
  const short_id = `plan-of-${uuid}`
  const product = {
    title: '25 GB Prepay Plan',
    length: 90,
    data_gb: 25,
    colour: '#b98a00',
    unique_id: 'plan-90-25gb',
    next_product_unique_id: null,
  }
  return {
    uuid,
    msisdn: '+64215550142',
    phone_number: '021 555 0142',
    name: null,
    plan_short_id: short_id,
    is_expired: false,
    expiry_date: '2027-02-13T11:00:00.000Z',
    number_kept: { days: 50, last_day: '2027-04-04' },
    porting_request: null,
    schedules: {
      [short_id]: {
        short_id,
        unique_id: `schedule-${uuid}`,
        auto_recharge_enabled: renews,
        starts_on: '2026-11-16',
        product,
        next_plan: null,
        service: uuid,
      },
    },
    outlook: createPlanStatus(renews, change),
    ...change,
  }
}

function createPlanStatus(renews: boolean, { is_expired, expiry_date }: Partial<Service>): PlanStatusView {
  const day = formatDate(expiry_date ?? '2027-02-13T11:00:00.000Z', 'Pacific/Auckland')
  if (is_expired)
    return buildPlanStatus({
      state: 'expired',
      tone: 'bad',
      title: `Prepay Plan Expired on ${day}!`,
      text: [
        numberRetentionMessages.reserved(50),
        numberRetentionMessages.lastDay('**04 Apr 2027**'),
        'Renew a Prepay Plan to keep your Phone Number.',
      ].join('\n'),
      line: 'Renew by 4 Apr to keep your number',
    })
  return buildPlanStatus(
    renews ? { state: 'renews', title: `Plan renews on ${day}` } : { title: `Plan expires on ${day}` },
  )
}

export const servicesByUuid = (...services: Service[]): Record<string, Service> =>
  Object.fromEntries(services.map((service) => [service.uuid, service]))

export const entitlement = (
  name: string,
  unit: Entitlement['totalAllowance']['unit'],
  total: number,
  left: number,
): Entitlement => ({
  name,
  totalAllowance: { amount: total, unit },
  remainingAllowance: { amount: left, unit },
})

/** Returns the data entitlement of a plan or add-on. Both amounts are in GB. */
export const data = (total: number, left: number): Entitlement => entitlement('Data', 'GB', total, left)

export const usageSummary = ({
  plan,
  ...change
}: Partial<Omit<UsageSummary, 'plan'>> & { plan?: Partial<UsageSummary['plan']> } = {}): UsageSummary => ({
  plan: {
    title: '25 GB Prepay Plan',
    entitlements: [data(25, 18.4)],
    last_known: null,
    renewal_length: 30,
    is_final_cycle: false,
    cycles: 3,
    ...plan,
  },
  expiry_date: '2027-02-13T11:00:00Z',
  renewal_date: '2026-12-15T11:00:00Z',
  days_remaining: 11,
  addons: [],
  forecast: null,
  is_expired: false,
  read_at: '2026-11-20T21:42:00Z',
  ...change,
})

export const summaryWithoutUsage = usageSummary({ plan: { entitlements: null }, addons: null, read_at: null })

export const ownedAddOn = (change: Partial<OwnedAddOn> = {}): OwnedAddOn => ({
  unique_id: 'addon-2gb',
  id: '1',
  name: 'Extra 2 GB',
  price: '10.00',
  roaming: false,
  expiry_date: '2026-12-03T11:00:00Z',
  entitlements: [data(2, 0.82)],
  ...change,
})

export function mockScreenSize(kind: 'phone' | 'tablet'): (now: 'phone' | 'tablet') => Promise<void> {
  const query = Object.assign(new EventTarget(), { matches: kind === 'tablet' })
  vi.stubGlobal('matchMedia', (wanted: string) =>
    wanted === '(min-width: 48rem)' ? query : Object.assign(new EventTarget(), { matches: false }),
  )
  return (now) =>
    act(async () => {
      query.matches = now === 'tablet'
      query.dispatchEvent(new Event('change'))
    })
}

export const first = dashboardService('a')
export const secondService = dashboardService('b', { phone_number: '027 555 0199' })

export async function openDashboard(path: string, replies: Record<string, Reply> = {}): Promise<FakeApi> {
  const usage = {
    [getUsageSummaryEndpoint('a')]: usageSummary(),
    [getUsageSummaryEndpoint('b')]: usageSummary({ plan: { entitlements: [data(5, 0.6)] } }),
  }
  const api = createFakeApi({
    'GET /api/account/': signedInAccount(),
    [list]: servicesByUuid(first, secondService),
    ...usage,
    ...replies,
  })
  await openPortal(dashboardPages, path, api)
  return api
}

export async function openService(
  service: Service,
  summary: Reply = usageSummary(),
  replies: Record<string, Reply> = {},
): Promise<FakeApi> {
  const api = await openDashboard(`/services/${service.uuid}/`, {
    [list]: servicesByUuid(service),
    [getUsageSummaryEndpoint(service.uuid)]: summary,
    ...replies,
  })
  await findServiceTitle(1)
  return api
}

export const findServiceTitle = (level: 1 | 2): Promise<HTMLElement> =>
  screen.findByRole('heading', { level, name: /^0\d\d \d{3} \d{4}$/ })
export const link = (name: string | RegExp): HTMLElement => screen.getByRole('link', { name })
export const getLinkHref = (name: string | RegExp): string | null => link(name).getAttribute('href')
export const getDashboardButton = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name })
export const main = (): string => screen.getByRole('main').textContent
export const bar = (name: string, place = screen.getByRole('main')): HTMLProgressElement =>
  within(place).getByRole('progressbar', { name })
export const findCalls = (api: FakeApi, at: string): Call[] => api.calls.filter((call) => call.at === at)
export const expectNoCalls = (api: FakeApi, method: string): void =>
  expect(api.calls.filter(({ at }) => at.startsWith(method))).toEqual([])
