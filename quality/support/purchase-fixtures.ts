import { screen } from '@testing-library/react'
import { ApiError } from '#kit/contract/errors.ts'
import vector from '#kit/web/card/card-encryption.vector.json' with { type: 'json' }
import type { PageEntry } from '#kit/web/page.ts'
import type { CardToken } from '#features/auth/auth.contract.ts'
import type { DeliveredOrderView } from '#features/orders/orders.contract.ts'
import type { PlanFilter, Product } from '#features/plans/plans.contract.ts'
import type { Schedule, Service } from '#features/services/services.contract.ts'
import { buildPlanStatus, signedInAccount } from './account.ts'
import { testProduct } from './activation-view.ts'
import { usageSummary, getUsageSummaryEndpoint } from './dashboard.tsx'
import { type FakeApi, createFakeApi, openPortal, type Reply, testBootstrap, withStatus } from './open-portal.tsx'

export const savedCard: CardToken = {
  card_type: 'visa',
  masked_card_number: '**** **** **** 1111',
  formatted_expiry_date: '03 / 30',
  card_holder_name: 'Ana Rewi',
  is_expired: false,
}

export const uuid = 'b6b7'
export const shortId = '1AB'

type ServiceChanges = Partial<Service> & { next?: string | null; next_plan?: Schedule['next_plan']; starts_on?: string }

export function testService({
  next = null,
  next_plan = null,
  starts_on = '2026-11-16',
  ...change
}: ServiceChanges = {}): Service {
  return {
    uuid,
    msisdn: '+64215550142',
    phone_number: '021 555 0142',
    name: null,
    plan_short_id: shortId,
    is_expired: false,
    expiry_date: '2027-02-13T11:00:00Z',
    number_kept: { days: 50, last_day: '2027-04-04' },
    porting_request: null,
    schedules: {
      [shortId]: {
        short_id: shortId,
        unique_id: 'schedule',
        auto_recharge_enabled: false,
        starts_on,
        product: {
          title: testProduct.title,
          length: testProduct.length,
          data_gb: testProduct.data_gb,
          colour: testProduct.colour,
          unique_id: testProduct.unique_id,
          next_product_unique_id: next,
        },
        next_plan,
        service: uuid,
      },
    },
    outlook: buildPlanStatus(),
    ...change,
  }
}

const aPlan = (unique_id: string, change: Partial<Product>): Product => ({
  ...testProduct,
  rrp: null,
  unique_id,
  sku: unique_id,
  title: unique_id,
  ...change,
})
const testAddOn = (unique_id: string, title: string, change: Partial<Product>): Product =>
  aPlan(unique_id, { title, product_type: 2, length: 30, data_gb: 0, ...change })

const addOns = {
  large: testAddOn('extra-2gb', 'Extra 2 GB', { price: '10.00', data_gb: 2, sort_order: 2 }),
  small: testAddOn('extra-500mb', 'Extra 500 MB', { price: '4.00', data_gb: 0.5, length: 7, sort_order: 1 }),
  roaming: testAddOn('roam-au', 'Australia Roaming', {
    price: '12.00',
    data_gb: 1,
    voice_mins: 100,
    txt_sms: 50,
    length: 7,
    roaming: true,
    sort_order: 3,
  }),
  withdrawn: testAddOn('extra-1gb', 'Extra 1 GB', { price: '6.00', sku: null, data_gb: 1 }),
}

const listedProducts = [
  testProduct,
  aPlan('plan-30-15gb', { title: '15 GB Prepay Plan', length: 30, price: '38.00', data_gb: 15 }),
  aPlan('plan-90-10gb', { title: '10 GB Prepay Plan', price: '69.40', data_gb: 10 }),
  aPlan('welcome', { title: 'Welcome', price: '9.00', data_gb: 40, new_customer_only: true }),
  ...Object.values(addOns),
]

export const products: Record<string, Product> = Object.fromEntries(
  listedProducts.map((each) => [each.unique_id, each]),
)

export const planFilters: PlanFilter[] = [
  { position: 0, length: 30, unit: 'days', promo_text: null },
  { position: 100, length: 90, unit: 'days', promo_text: null },
]

export const servicesById = (...services: Service[]): Record<string, Service> =>
  Object.fromEntries(services.map((service) => [service.uuid, service]))

export async function openAsCustomer(
  pages: readonly PageEntry[],
  path: string,
  replies: Record<string, Reply> = {},
  market = testBootstrap.market,
): Promise<FakeApi> {
  const api = createFakeApi({
    'GET /api/account/': signedInAccount({ credit_card_token: savedCard }),
    'GET /api/services/': servicesById(testService()),
    'GET /api/products/': products,
    'GET /api/products/filters/': planFilters,
    'GET /api/account/plan_advice/': {},
    [getUsageSummaryEndpoint(uuid)]: usageSummary(),
    ...replies,
  })
  await openPortal(pages, path, api, {
    ...testBootstrap,
    market,
    card: { ...testBootstrap.card, publicKey: vector.public_key },
  })
  return api
}

export const repliesWithoutCard = { 'GET /api/account/': signedInAccount() }
export const repliesWithExpiredCard = {
  'GET /api/account/': signedInAccount({ credit_card_token: { ...savedCard, is_expired: true } }),
}

export const orderResponse = { order_code: 'FT0001' }
export const boughtOrder: DeliveredOrderView = {
  order_code: 'FT0001',
  kind: 'recharge',
  uuid,
  phone_number: '021 555 0142',
  product: {
    title: testProduct.title,
    length: testProduct.length,
    data_gb: testProduct.data_gb,
    voice_mins: testProduct.voice_mins,
    txt_sms: testProduct.txt_sms,
  },
  addon_ids: [],
  starts_on: '2026-11-20T11:00:00Z',
  expiry_date: '2027-02-18T11:00:00Z',
  total_price: '109.40',
  tax: '14.27',
  card: { card_type: 'visa', last_four: '1111' },
  by_voucher: false,
  instead_of: null,
}
export const boughtAddOn: DeliveredOrderView = {
  ...boughtOrder,
  kind: 'addon',
  product: { title: 'Extra 2 GB', length: 30, data_gb: 2, voice_mins: 0, txt_sms: 0 },
  addon_ids: ['FT0001-addon-1', 'FT-EXTRA-2GB'],
  expiry_date: '2026-12-20T11:00:00Z',
  total_price: '10.00',
  tax: '1.30',
}
export const readOrderEndpoint = 'GET /api/orders/FT0001/'
export const resumeEndpoint = 'POST /api/orders/FT0001/resume/'
export const pendingResponse = withStatus(202, { order_code: 'FT0001', retry: true })
export const refusalError = (sentence: string): ApiError => new ApiError(400, { __all__: [sentence] })

export const queryHeading = (name: string | RegExp): HTMLElement | null => screen.queryByRole('heading', { name })
export const findPageTitle = (name: string): Promise<HTMLElement> => screen.findByRole('heading', { level: 1, name })
export const getButton = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name })
export const getLinkHref = (name: string | RegExp): string | null =>
  screen.getByRole('link', { name }).getAttribute('href')
