import type { Db } from '#kit/server/db.ts'
import { countOnto, listRenewing, type RenewalCounts } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { type CatalogueChange, changesOf } from '#features/plans/server/catalogue-changes.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { DeskChange } from '../catalogue.contract.ts'

const none = { renewing: 0, told: 0 }

export async function listChanges(db: Db, present: Catalogue, wanted: Catalogue): Promise<DeskChange[]> {
  const plans = await listRenewing(db)
  const named = new Map(wanted.products.map((product) => [product.unique_id, product]))
  const before = countOnto(plans)
  // A plan whose product is missing from the wanted catalogue keeps the successor that it has now.
  const after = countOnto(plans, ({ product, next }) => {
    const kept = named.get(product)
    return kept ? kept.next_product_id : next
  })
  const changes = changesOf(present, wanted)
  const counted = (change: CatalogueChange | { kind: 'renewals'; unique_id: string; title: string; fields: [] }) => ({
    ...change,
    before: before.get(change.unique_id ?? '') ?? none,
    after: after.get(change.unique_id ?? '') ?? none,
  })
  return [...changes.map(counted), ...onlyRenewals({ before, after, wanted, changes }).map(counted)]
}

type Counted = { before: RenewalCounts; after: RenewalCounts; wanted: Catalogue; changes: CatalogueChange[] }

function onlyRenewals({ before, after, wanted, changes }: Counted) {
  const told = new Set(changes.map(({ unique_id }) => unique_id))
  const renewing = (counts: RenewalCounts, id: string): number => counts.get(id)?.renewing ?? 0
  return wanted.products
    .filter(({ unique_id: id }) => !told.has(id) && renewing(before, id) !== renewing(after, id))
    .map(({ unique_id, title }) => ({ kind: 'renewals' as const, unique_id, title, fields: [] as [] }))
}
