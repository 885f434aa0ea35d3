/* @module-tag slow */
import { beforeEach, expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import { createProductCache } from './server/cached-products.ts'
import { findLowestExtraDataPrice, findExtraDataPrice, type ProductRow } from './server/plans.store.ts'

const rig = useRouteServer(() => [])
beforeEach(() => rig().db.deleteFrom('products').execute())

const product = (unique_id: string, of: Partial<ProductRow> = {}): ProductRow => ({
  unique_id,
  sku: unique_id,
  product_type: 1,
  title: unique_id,
  length_days: 30,
  price_cents: 2_000,
  rrp_cents: null,
  price_rebill_cents: null,
  colour: 'teal',
  sort_order: 1,
  data_gb: 5,
  voice_mins: 0,
  txt_sms: 0,
  roaming: false,
  new_customer_only: false,
  next_product_id: null,
  code: unique_id.toUpperCase(),
  hidden: false,
  tax_class: 'standard',
  ...of,
})
const add = (...products: ProductRow[]) => rig().db.insertInto('products').values(products).execute()

test('the product cache includes withdrawn products, and is reloaded at once when an unknown product is requested', async () => {
  await add(product('small'), product('gone', { hidden: true }))
  const kept = createProductCache({ db: rig().db, thresholds: { offerKeptMs: 60_000 } })
  const before = await kept.all()
  expect([...before.keys()]).toEqual(['gone', 'small'])
  await add(product('large'))
  expect(await kept.all()).toBe(before)
  expect(await kept.with(before, ['small', 'gone'])).toBe(before)
  expect((await kept.with(before, ['small', 'large'])).get('large')).toMatchObject({ title: 'large' })
})

test('the price shown for extra data is that of the cheapest domestic data add-on on sale', async () => {
  expect(await findExtraDataPrice(rig().db)).toBeNull()
  const addOn = { product_type: 2 as const, data_gb: 1 }
  const others = [
    product('roaming', { ...addOn, price_cents: 1, roaming: true }),
    product('hidden', { ...addOn, price_cents: 2, hidden: true }),
    product('unknown', { ...addOn, price_cents: 3, sku: null }),
    product('minutes', { ...addOn, price_cents: 4, data_gb: 0 }),
  ]
  expect(findLowestExtraDataPrice(others)).toBeNull()
  const sold = [product('1gb', { ...addOn, price_cents: 900 }), product('2gb', { ...addOn, price_cents: 1_500 })]
  await add(...others, ...sold)
  expect(await findExtraDataPrice(rig().db)).toBe(900)
  expect(findLowestExtraDataPrice([...others, ...sold])).toBe(900)
})
