import { expect, test } from 'vitest'
import { fantailProvider } from '#quality/support/provider.ts'
import { findUnfavourableChanges, listUnfavourableChanges } from './server/unfavourable-changes.ts'
import type { Catalogue, ProductRow } from './server/plans.store.ts'

const present: Catalogue = fantailProvider.catalogue
const id = 'plan-30-5gb'
const change = (with_: Partial<ProductRow>, of = id): Catalogue => ({
  ...present,
  products: present.products.map((product) => (product.unique_id === of ? { ...product, ...with_ } : product)),
})
const words = (wanted: Catalogue, before = present) => findUnfavourableChanges(before, wanted).map((each) => each.words)

test('leaving a product unchanged, making it cheaper or including more does not count as an unfavourable change', () => {
  expect(words(present)).toEqual([])
  expect(words(change({ price_cents: 2_100, price_rebill_cents: 2_000, data_gb: 6, voice_mins: 9_999 }))).toEqual([])
})

test.each([
  [{ price_cents: 2_201 }, '5 GB Prepay Plan: price $22.00 → $22.01'],
  [{ price_rebill_cents: 2_101 }, '5 GB Prepay Plan: price of auto-renewal $21.00 → $21.01'],
  // A plan without a separate renewal price renews at its full price.
  [{ price_rebill_cents: null }, '5 GB Prepay Plan: price of auto-renewal $21.00 → $22.00'],
  [{ next_product_id: 'plan-30-15gb' }, '5 GB Prepay Plan: price of the plan it renews as $21.00 → $34.00'],
  [{ data_gb: 4.5 }, '5 GB Prepay Plan: data 5 → 4.5 GB'],
  [{ length_days: 28 }, '5 GB Prepay Plan: length 30 → 28 days'],
])('%j counts as an unfavourable change to a plan', (with_, told) => expect(words(change(with_))).toEqual([told]))

test('a plan that loses roaming, minutes or texts counts as an unfavourable change', () => {
  const before = change({ roaming: true, voice_mins: 10, txt_sms: 10 })
  expect(words(change({ roaming: false, voice_mins: 9, txt_sms: 9 }), before)).toEqual([
    '5 GB Prepay Plan: minutes 10 → 9',
    '5 GB Prepay Plan: texts 10 → 9',
    '5 GB Prepay Plan: no roaming any more',
  ])
})

test('a higher renewal price is reported once, even if other plans also renew as that plan', () => {
  expect(words(change({ price_rebill_cents: 4_200 }, 'plan-30-25gb'))).toEqual([
    '25 GB Prepay Plan: price of auto-renewal $41.00 → $42.00',
  ])
})

test('new and hidden products are not unfavourable changes, and a product that returns is compared with its earlier price', () => {
  const without = { ...present, products: present.products.filter(({ unique_id }) => unique_id !== id) }
  expect(words(present, without)).toEqual([])
  expect(words(change({ hidden: true, price_cents: 9_900 }))).toEqual([])
  expect(words(change({ price_cents: 2_500 }), change({ hidden: true }))).toHaveLength(1)
})

test('each unfavourable change is reported once, even if the new catalogue is compared with several earlier catalogues', () => {
  const wanted = change({ price_cents: 2_300 })
  expect(listUnfavourableChanges([present, change({ price_cents: 2_250 }), present], wanted)).toEqual([
    '5 GB Prepay Plan: price $22.00 → $23.00',
    '5 GB Prepay Plan: price $22.50 → $23.00',
  ])
})
