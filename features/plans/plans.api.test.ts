import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { productSchema } from './plans.contract.ts'
import { planRoutes } from './server/plans.routes.ts'
import { findProduct, importCatalogue } from './server/plans.store.ts'

const { catalogue } = fantailProvider
const rig = useRouteServer(({ db }) => planRoutes({ db, thresholds: { offerKeptMs: 0 } }), {
  before: ({ db }) => transact(db, (trx) => importCatalogue(trx, catalogue)),
})

describe('GET /api/products/', () => {
  const products = async () => (await rig().visitor().get('/api/products/')).body

  test('returns every product that is not withdrawn, keyed by its unique_id', async () => {
    const listed = await products()
    const visible = catalogue.products.filter(({ hidden }) => !hidden)
    expect(Object.keys(listed).sort()).toEqual(visible.map(({ unique_id }) => unique_id).sort())
    for (const [id, product] of Object.entries(listed))
      expect(v.parse(v.strictObject(productSchema.entries), product).unique_id).toBe(id)
  })

  test('returns a plan with the fields in the specification and with money as decimal strings', async () => {
    expect((await products())['plan-90-25gb']).toEqual({
      unique_id: 'plan-90-25gb',
      sku: 'FT-P90-25GB',
      product_type: 1,
      title: '25 GB Prepay Plan',
      length: 90,
      price: '109.65',
      rrp: '129.00',
      price_rebill: null,
      colour: '#b98a00',
      sort_order: 120,
      data: 25,
      data_gb: 25,
      voice_mins: 0,
      txt_sms: 0,
      roaming: false,
      new_customer_only: false,
      next_product_unique_id: null,
      renewal_length: 30,
      code: 'P90-25GB',
    })
  })

  test('the product list contains add-ons, plans for new customers and a plan that cannot be bought', async () => {
    const listed = await products()
    expect(listed['roam-au-7']).toMatchObject({
      product_type: 2,
      roaming: true,
      voice_mins: 100,
      txt_sms: 100,
      price: '12.00',
    })
    expect(listed['welcome-30-25gb']).toMatchObject({ new_customer_only: true, price: '21.50', rrp: '43.00' })
    expect(listed['plan-180-100gb']).toMatchObject({ sku: null })
    expect(listed['plan-7-500mb']).toMatchObject({ renewal_length: 7, data_gb: 0.5 })
  })
})

test('GET /api/products/filters/ lists the plan lengths and their positions on the slider', async () => {
  const { status, body } = await rig().visitor().get('/api/products/filters/')
  expect({ status, body }).toEqual({
    status: 200,
    body: [
      { position: 0, length: 7, unit: 'days', promo_text: null },
      { position: 25, length: 30, unit: 'days', promo_text: null },
      { position: 50, length: 90, unit: 'days', promo_text: 'SAVE 15%' },
      { position: 75, length: 180, unit: 'days', promo_text: null },
      { position: 100, length: 365, unit: 'days', promo_text: 'BEST VALUE' },
    ],
  })
})

test.each(['/api/products/', '/api/products/filters/'])(
  'the response from %s may be cached publicly for a minute and sets no cookie',
  async (path) => {
    const { headers } = await rig().visitor().get(path)
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    // If a publicly cached response set a cookie, the cache would hand one visitor's session to others.
    expect(headers.getSetCookie()).toEqual([])
  },
)

test('a new catalogue updates changed products, hides products that it does not contain, and replaces the length filters', async () => {
  const [kept, gone] = ['plan-30-5gb', 'plan-30-60gb']
  const products = catalogue.products
    .filter(({ unique_id }) => unique_id !== gone)
    .map((product) =>
      product.unique_id === kept ? { ...product, price_cents: 2_300, next_product_id: 'plan-30-15gb' } : product,
    )
  await transact(rig().db, (trx) => importCatalogue(trx, { products, filters: catalogue.filters.slice(0, 2) }))
  const visitor = rig().visitor()
  const listed = (await visitor.get('/api/products/')).body
  expect(listed[kept].price).toBe('23.00')
  expect(listed).not.toHaveProperty(gone)
  expect(await findProduct(rig().db, gone)).toMatchObject({ hidden: true, title: '60 GB Prepay Plan' })
  expect(await findProduct(rig().db, kept)).toMatchObject({ next_product_id: 'plan-30-15gb' })
  expect((await visitor.get('/api/products/filters/')).body).toHaveLength(2)
})
