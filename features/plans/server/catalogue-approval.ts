import type { Trx } from '#kit/server/db.ts'
import { findFavourableChanges } from './favourable-changes.ts'
import { listUnfavourableChanges } from './unfavourable-changes.ts'
import * as store from './catalogue.store.ts'
import { type Catalogue, readCatalogue } from './plans.store.ts'

/**
 * Whether a second person must approve a catalogue before it is published.
 * @param known the catalogues on sale or scheduled. A product that costs more or includes less than in any of them requires approval.
 */
export const requiresApproval = async (trx: Trx, known: Catalogue[], wanted: Catalogue): Promise<boolean> =>
  listUnfavourableChanges(known, wanted).length > 0 || (await listFavourableChanges(trx, wanted)).length > 0

export type ApprovedBaseline = { onSale: Catalogue; approved: Catalogue; approvedWaiting: Catalogue[] }

export async function readApprovedBaseline(trx: Trx): Promise<ApprovedBaseline> {
  const catalogueOnSale = await readCatalogue(trx)
  const approvedCatalogue = (await store.findApprovedContent(trx)) ?? catalogueOnSale
  return {
    onSale: catalogueOnSale,
    approved: approvedCatalogue,
    approvedWaiting: await store.readScheduledApprovedContent(trx),
  }
}

/**
 * Lists the changes in customers' favour that are too large for one person to publish. They are measured against the
 * catalogue that two people last approved, and against every approved catalogue that is still scheduled.
 */
export async function listFavourableChanges(
  trx: Trx,
  wanted: Catalogue,
  baseline?: ApprovedBaseline,
): Promise<string[]> {
  const { onSale, approved, approvedWaiting } = baseline ?? (await readApprovedBaseline(trx))
  const baselines = [await addDroppedProducts(trx, wanted, approved), ...approvedWaiting]
  return [
    ...new Set(baselines.flatMap((baselineCatalogue) => findFavourableChanges(baselineCatalogue, onSale, wanted))),
  ]
}

/**
 * Returns the last approved catalogue, plus products dropped from earlier ones in their last approved state. Otherwise,
 * one person could drop a product and bring it back at any price.
 */
async function addDroppedProducts(trx: Trx, wanted: Catalogue, approved: Catalogue): Promise<Catalogue> {
  const approvedIds = new Set(approved.products.map(({ unique_id: id }) => id))
  const newProducts = wanted.products.filter(({ unique_id: id }) => !approvedIds.has(id))
  if (newProducts.length === 0) return approved
  const earlierProducts = await store.findApprovedProducts(trx, {
    ids: newProducts.map(({ unique_id: id }) => id),
    skus: newProducts.flatMap(({ sku }) => sku ?? []),
  })
  const droppedProducts = earlierProducts
    .filter(({ unique_id: id }) => !approvedIds.has(id))
    .map((product) => ({ ...product, hidden: true }))
  return { ...approved, products: [...approved.products, ...droppedProducts] }
}
