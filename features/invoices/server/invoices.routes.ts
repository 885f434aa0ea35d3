import { type Route, route } from '#kit/server/route.ts'
import { hadService, listServicesEver } from '#features/services/server/own-service.store.ts'
import { listNumbers, listPurchases, readInvoice } from '../invoices.contract.ts'
import type { InvoiceDeps } from './invoices.deps.ts'
import { presentInvoice, presentNumber, presentPurchase } from './invoices.present.ts'
import { findOwnDocument, listDocuments } from './invoices.store.ts'

export const invoiceRoutes = ({ db }: InvoiceDeps): Route[] => [
  route(listNumbers, { access: 'verified', ahead: true }, async ({ visit: { user } }) =>
    (await listServicesEver(db, user.id)).map(presentNumber),
  ),
  route(
    listPurchases,
    {
      access: 'verified',
      ahead: true,
      async find({ visit: { user }, params: { uuid } }) {
        const documents = await listDocuments(db, { userId: user.id, serviceId: uuid })
        // A service that was just made has no invoice yet, for a moment.
        return documents.length > 0 || (await hadService(db, user.id, uuid)) ? documents : null
      },
    },
    async ({ found }) => found.map(presentPurchase),
  ),
  route(
    readInvoice,
    {
      access: 'verified',
      ahead: true,
      find: async ({ visit: { user }, params }) =>
        (await findOwnDocument(db, { userId: user.id, serviceId: params.uuid }, params.orderCode)) ?? null,
    },
    async ({ found }) => presentInvoice(found),
  ),
]
