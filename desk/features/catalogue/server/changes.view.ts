import type { Db } from '#kit/server/db.ts'
import {
  sumByProduct,
  listRenewalCounts,
  type RenewalCounts,
} from '#features/auto-renewal/server/auto-renewal.store.ts'
import { type CatalogueChange, diffCatalogues } from '#features/plans/server/catalogue-changes.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { DeskChange } from '../catalogue.contract.ts'

const noRenewals = { renewing: 0, told: 0 }

export async function listChanges(db: Db, present: Catalogue, wanted: Catalogue): Promise<DeskChange[]> {
  const plans = await listRenewalCounts(db)
  const newProductsById = new Map(wanted.products.map((product) => [product.unique_id, product]))
  const before = sumByProduct(plans)
  // If a customer's product is missing from the new catalogue, their plan keeps renewing onto the same product as now.
  const after = sumByProduct(plans, ({ product, next }) => {
    const newProduct = newProductsById.get(product)
    return newProduct ? newProduct.next_product_id : next
  })
  const changes = diffCatalogues(present, wanted)
  const addRenewalCounts = (
    change: CatalogueChange | { kind: 'renewals'; unique_id: string; title: string; fields: [] },
  ) => ({
    ...change,
    before: before.get(change.unique_id ?? '') ?? noRenewals,
    after: after.get(change.unique_id ?? '') ?? noRenewals,
  })
  return [
    ...changes.map(addRenewalCounts),
    ...renewalOnlyChanges({ before, after, wanted, changes }).map(addRenewalCounts),
  ]
}

type ComparedRenewals = { before: RenewalCounts; after: RenewalCounts; wanted: Catalogue; changes: CatalogueChange[] }

function renewalOnlyChanges({ before, after, wanted, changes }: ComparedRenewals) {
  const changedIds = new Set(changes.map(({ unique_id }) => unique_id))
  const countRenewing = (counts: RenewalCounts, id: string): number => counts.get(id)?.renewing ?? 0
  return wanted.products
    .filter(({ unique_id: id }) => !changedIds.has(id) && countRenewing(before, id) !== countRenewing(after, id))
    .map(({ unique_id, title }) => ({ kind: 'renewals' as const, unique_id, title, fields: [] as [] }))
}
