import type { Db } from '#kit/server/db.ts'
import { badRequest, notFound } from '#kit/server/http-error.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { createCustomerRead } from '#features/auth/server/visitor.store.ts'
import { currentOrFormerServiceQueryPart } from '#features/services/server/own-service.store.ts'
import { purchaseMessages, purchasesPerPage } from '../invoices.contract.ts'
import { presentPurchases } from './invoices.present.ts'
import { type Document, findOwnDocument, listOlderDocuments, newestDocumentsQueryPart } from './invoices.store.ts'

export const readNewestPurchases = createCustomerRead(
  (db, userId, service: Record<'serviceId' | 'limit', string>) => ({
    documents: newestDocumentsQueryPart(db, userId, service),
    services: currentOrFormerServiceQueryPart(db, userId, service.serviceId),
  }),
  (newest) => newest,
)

export const getNewestPurchasesParams = (serviceId: string, before: string | undefined) => ({
  serviceId: isUuid(serviceId) ? serviceId : '',
  limit: before === undefined ? String(purchasesPerPage + 1) : '0',
})

/**
 * Returns a page of a service's purchase history: the newest documents, or those older than the document with the given
 * code.
 * @throws 404 for a service that has never been this customer's, 400 when the service has no document with that code
 */
export async function listServicePurchases(
  db: Db,
  owner: { userId: string; serviceId: string },
  code: string | undefined,
  { documents, services }: { documents: Document[]; services: unknown[] },
) {
  const cursorDocument = code === undefined ? undefined : await findOwnDocument(db, owner, code)
  if (cursorDocument) {
    const olderDocuments = await listOlderDocuments(db, owner, { before: cursorDocument, limit: purchasesPerPage + 1 })
    return presentPurchases(olderDocuments, purchasesPerPage)
  }
  // A new service briefly has no invoice, so an empty list does not mean that the service is missing.
  if (documents.length === 0 && services.length === 0) throw notFound()
  if (code !== undefined) throw badRequest({ before: [purchaseMessages.place] })
  return presentPurchases(documents, purchasesPerPage)
}
