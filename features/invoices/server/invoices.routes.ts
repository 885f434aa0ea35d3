import { type Route, route } from '#kit/server/route.ts'
import { listServicesEver } from '#features/services/server/own-service.store.ts'
import { listNumbers, listPurchases, readInvoice } from '../invoices.contract.ts'
import type { InvoiceDeps } from './invoices.deps.ts'
import { presentInvoice, presentNumber } from './invoices.present.ts'
import { findOwnDocument } from './invoices.store.ts'
import { newestOf, newestPurchases, purchasesOf } from './purchases.ts'

export const invoiceRoutes = ({ db }: InvoiceDeps): Route[] => [
  route(listNumbers, { access: 'verified' }, async ({ visit: { user }, query: { limit, from } }) => {
    const all = await listServicesEver(db, user.id)
    if (limit === undefined) return all.map(presentNumber)
    const start = Math.max(
      0,
      all.findIndex(({ id }) => id === from),
    )
    return all.slice(start, start + limit).map(presentNumber)
  }),
  route(
    listPurchases,
    {
      access: 'verified',
      read: () => newestPurchases,
      values: ({ params, query }) => newestOf(params.uuid, query.before),
    },
    ({ visit: { user }, params: { uuid }, query, data }) =>
      purchasesOf(db, { userId: user.id, serviceId: uuid }, query.before, data),
  ),
  route(
    readInvoice,
    {
      access: 'verified',
      find: async ({ visit: { user }, params }) =>
        (await findOwnDocument(db, { userId: user.id, serviceId: params.uuid }, params.orderCode)) ?? null,
    },
    async ({ found }) => presentInvoice(found),
  ),
]
