import type { Trx } from '#kit/server/db.ts'
import { favourableChanges } from './catalogue-favourable.ts'
import * as store from './catalogue.store.ts'
import { type Catalogue, readCatalogue } from './plans.store.ts'

/**
 * What a catalogue changes in the customers' favour beyond what one person may publish alone. It is measured against what two people
 * approved last, and against everything approved that is still to come.
 */
export async function favourableSinceApproval(trx: Trx, wanted: Catalogue): Promise<string[]> {
  const onSale = await readCatalogue(trx)
  const approved = [await readApproved(trx, wanted, onSale), ...(await store.readApprovedWaiting(trx))]
  return [...new Set(approved.flatMap((each) => favourableChanges(each, onSale, wanted)))]
}

/** The last approved catalogue, with products that it no longer names as they were approved last: bringing one back is no fresh start. */
async function readApproved(trx: Trx, wanted: Catalogue, onSale: Catalogue): Promise<Catalogue> {
  const approved = (await store.findApprovedContent(trx)) ?? onSale
  const named = new Set(approved.products.map(({ unique_id: id }) => id))
  const unknown = wanted.products.filter(({ unique_id: id }) => !named.has(id))
  if (unknown.length === 0) return approved
  const earlier = await store.findProductsApproved(trx, {
    ids: unknown.map(({ unique_id: id }) => id),
    skus: unknown.flatMap(({ sku }) => sku ?? []),
  })
  const dropped = earlier.filter(({ unique_id: id }) => !named.has(id)).map((product) => ({ ...product, hidden: true }))
  return { ...approved, products: [...approved.products, ...dropped] }
}
