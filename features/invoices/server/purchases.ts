import type { Db } from '#kit/server/db.ts'
import { invalid, notFound } from '#kit/server/refusal.ts'
import { hadService } from '#features/services/server/own-service.store.ts'
import { purchaseMessages, purchasesPerPage } from '../invoices.contract.ts'
import { presentPurchases } from './invoices.present.ts'
import { findOwnDocument, listDocuments } from './invoices.store.ts'

/**
 * A page of the purchase history of a service: the newest documents, or those older than the one with the code `before`.
 * @throws 404 for a service that never was this customer's, 400 when the service has no document with that code
 */
export async function purchasesOf(db: Db, owner: { userId: string; serviceId: string }, code: string | undefined) {
  const before = code === undefined ? null : await findOwnDocument(db, owner, code)
  const found = before === undefined ? [] : await listDocuments(db, owner, { before, limit: purchasesPerPage + 1 })
  // A new service has no invoice for a moment.
  if (found.length === 0 && !before && !(await hadService(db, owner.userId, owner.serviceId))) throw notFound()
  if (before === undefined) throw invalid({ before: [purchaseMessages.place] })
  return presentPurchases(found, purchasesPerPage)
}
