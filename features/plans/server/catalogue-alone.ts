import type { Trx } from '#kit/server/db.ts'
import { favourableChanges } from './catalogue-favourable.ts'
import { worseThan } from './catalogue-worse.ts'
import * as store from './catalogue.store.ts'
import { type Catalogue, readCatalogue } from './plans.store.ts'

/**
 * Whether one person may not publish a catalogue alone.
 * @param known catalogues that customers know of: nothing may become dearer or smaller than in any of them
 */
export const needsSecondPerson = async (trx: Trx, known: Catalogue[], wanted: Catalogue): Promise<boolean> =>
  worseThan(known, wanted).length > 0 || (await favourableSinceApproval(trx, wanted)).length > 0

/** Catalogues that changes in the customers' favour are measured against. */
export type ApprovedBaseline = { onSale: Catalogue; approved: Catalogue; approvedWaiting: Catalogue[] }

/** Read once where several catalogues are measured. */
export async function readApprovedBaseline(trx: Trx): Promise<ApprovedBaseline> {
  const onSale = await readCatalogue(trx)
  const approved = (await store.findApprovedContent(trx)) ?? onSale
  return { onSale, approved, approvedWaiting: await store.readApprovedWaiting(trx) }
}

/**
 * What a catalogue changes in the customers' favour beyond what one person may publish alone. It is measured against what two people
 * approved last, and against everything approved that is still to come.
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

/** The last approved catalogue, with products that it no longer names as they were approved last: bringing one back is no fresh start. */
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
