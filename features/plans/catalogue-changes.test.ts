import { expect, test } from 'vitest'
import { fantailProvider } from '#quality/support/provider.ts'
import { diffCatalogues } from './server/catalogue-changes.ts'
import type { Catalogue } from './server/plans.store.ts'

const present: Catalogue = fantailProvider.catalogue
const id = 'plan-30-5gb'
const title = '5 GB Prepay Plan'
const change = (with_: Partial<Catalogue['products'][number]>): Catalogue => ({
  ...present,
  products: present.products.map((product) => (product.unique_id === id ? { ...product, ...with_ } : product)),
})

test('reordering the products and filters of a catalogue does not count as a change', () => {
  expect(diffCatalogues(present, present)).toEqual([])
  expect(
    diffCatalogues(present, { products: present.products.toReversed(), filters: present.filters.toReversed() }),
  ).toEqual([])
})

test('lists the changed fields of a product with the old and the new value', () => {
  expect(diffCatalogues(present, change({ price_cents: 2_350, rrp_cents: 2_900, roaming: true }))).toEqual([
    {
      kind: 'changed',
      unique_id: id,
      title,
      fields: [
        { field: 'price', from: '22.00', to: '23.50' },
        { field: 'price struck through', from: 'none', to: '29.00' },
        { field: 'roaming', from: 'no', to: 'yes' },
      ],
    },
  ])
})

test('reports products that are added, withdrawn or put back on sale', () => {
  const without = { ...present, products: present.products.filter(({ unique_id }) => unique_id !== id) }
  const withdrawn = { kind: 'withdrawn', unique_id: id, title, fields: [] }
  expect(diffCatalogues(without, present)).toEqual([{ ...withdrawn, kind: 'added' }])
  expect(diffCatalogues(present, without)).toEqual([withdrawn])
  expect(diffCatalogues(present, change({ hidden: true }))).toEqual([withdrawn])
  expect(diffCatalogues(change({ hidden: true }), present)).toEqual([{ ...withdrawn, kind: 'returned' }])
  expect(diffCatalogues(change({ hidden: true }), without)).toEqual([])
})

test('reports all changes to the selectable plan lengths as one change', () => {
  const [first, ...rest] = present.filters
  expect(diffCatalogues(present, { ...present, filters: rest })).toEqual([
    expect.objectContaining({
      unique_id: null,
      fields: [{ field: 'days', from: expect.any(String), to: expect.any(String) }],
    }),
  ])
  expect(first).toBeDefined()
})
