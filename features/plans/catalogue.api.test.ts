import { expect, test } from 'vitest'
import { transact } from '#kit/server/db.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import {
  applyCatalogue,
  applyDueCatalogues,
  cancelScheduledCatalogue,
  applyCatalogueAtStartup,
} from './server/catalogue.ts'
import { maxApprovedVersionsSearched, findApprovedProducts } from './server/catalogue.store.ts'
import { findProduct } from './server/plans.store.ts'

const rig = useRouteServer(() => [])
const id = 'plan-30-5gb'
const at = (cents: number) => ({
  ...fantailProvider.catalogue,
  products: fantailProvider.catalogue.products.map((product) =>
    product.unique_id === id ? { ...product, price_cents: cents } : product,
  ),
})
const price = async () => (await findProduct(rig().db, id))?.price_cents

test('a scheduled catalogue that became due while no process was running does not replace the one imported at startup', async () => {
  const { db, clock } = rig()
  await applyCatalogueAtStartup({ db, clock }, at(2_200))
  const soon = clock.now().add({ hours: 1 })
  const { version } = await applyCatalogue({ db, clock }, { catalogue: at(2_400), at: soon, actor: { by: 'system' } })
  await db
    .updateTable('catalogue_versions')
    .set({ effective_at: new Date(0) })
    .where('number', '=', version.number)
    .execute()
  await applyCatalogueAtStartup({ db, clock }, at(2_600))
  expect(await price()).toBe(2_600)
  await applyDueCatalogues({ db, clock }, clock.now())
  expect(await price()).toBe(2_600)
})

test('a scheduled catalogue version can be cancelled once and never goes on sale', async () => {
  const { db, clock } = rig()
  const tom = { by: 'operator', name: 'Tom' } as const
  await applyCatalogue({ db, clock }, { catalogue: at(2_200), at: null, actor: tom })
  const soon = clock.now().add({ hours: 1 })
  const { version } = await applyCatalogue({ db, clock }, { catalogue: at(9_900), at: soon, actor: tom })
  const callOff = () => cancelScheduledCatalogue({ db, clock }, version.number, tom)
  expect([await callOff(), await callOff()]).toEqual([true, false])
  await applyDueCatalogues({ db, clock }, soon.add({ hours: 1 }))
  expect(await price()).toBe(2_200)
})

test(
  'finds the last approved state of a dropped product, but searches only a limited number of approved versions',
  { tags: ['slow'] },
  async () => {
    const { db, clock } = rig()
    const apply = (catalogue: typeof fantailProvider.catalogue) =>
      applyCatalogue({ db, clock }, { catalogue, at: null, actor: { by: 'operator', name: 'Tom' } })
    const priceApproved = async () => {
      const found = await transact(db, (trx) => findApprovedProducts(trx, { ids: [id], skus: [] }))
      return found.map(({ price_cents: cents }) => cents)
    }
    const without = { ...at(0), products: at(0).products.filter(({ unique_id }) => unique_id !== id) }
    await apply(at(2_700))
    await apply(at(2_800))
    for (let count = 1; count < maxApprovedVersionsSearched; count++) await apply(without)
    expect(await priceApproved()).toEqual([2_800])
    await apply(without)
    expect(await priceApproved()).toEqual([])
  },
)
