import type { Trx } from '#kit/server/db.ts'
import { favourableChanges } from './catalogue-favourable.ts'
import { worseThan } from './catalogue-worse.ts'
import * as store from './catalogue.store.ts'
import { type Catalogue, readCatalogue } from './plans.store.ts'

/**
 * Whether publishing a catalogue needs the approval of a second person.
 * @param known catalogues that customers know of; no product may become dearer or smaller than in any of them
 */
export const needsSecondPerson = async (trx: Trx, known: Catalogue[], wanted: Catalogue): Promise<boolean> =>
  worseThan(known, wanted).length > 0 || (await favourableSinceApproval(trx, wanted)).length > 0

export type ApprovedBaseline = { onSale: Catalogue; approved: Catalogue; approvedWaiting: Catalogue[] }

export async function readApprovedBaseline(trx: Trx): Promise<ApprovedBaseline> {
  const onSale = await readCatalogue(trx)
  const approved = (await store.findApprovedContent(trx)) ?? onSale
  return { onSale, approved, approvedWaiting: await store.readApprovedWaiting(trx) }
}

/**
 * The changes in the customers' favour that exceed the limit for one person. They are measured against the catalogue
 * that two people last approved, and against all approved catalogues that are still scheduled.
 */
export async function favourableSinceApproval(
  trx: Trx,
  wanted: Catalogue,
  baseline?: ApprovedBaseline,
): Promise<string[]> {
  const { onSale, approved, approvedWaiting } = baseline ?? (await readApprovedBaseline(trx))
  const all = [await withDropped(trx, wanted, approved), ...approvedWaiting]
  return [...new Set(all.flatMap((each) => favourableChanges(each, onSale, wanted)))]
}

/**
 * The last approved catalogue, plus products that it no longer contains, in their last approved state. Otherwise a
 * product could be dropped and brought back at any price.
 */
async function withDropped(trx: Trx, wanted: Catalogue, approved: Catalogue): Promise<Catalogue> {
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
