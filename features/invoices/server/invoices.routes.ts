import { type Route, route } from '#kit/server/route.ts'
import { listCurrentAndFormerServices } from '#features/services/server/own-service.store.ts'
import { listNumbers, listPurchases, readInvoice } from '../invoices.contract.ts'
import type { InvoiceDeps } from './invoices.deps.ts'
import { presentInvoice, presentNumber } from './invoices.present.ts'
import { findOwnDocument } from './invoices.store.ts'
import { getNewestPurchasesParams, readNewestPurchases, listServicePurchases } from './purchases.ts'

export const invoiceRoutes = ({ db }: InvoiceDeps): Route[] => [
  route(listNumbers, { access: 'verified' }, async ({ visit: { user }, query: { limit, from } }) => {
    const allServices = await listCurrentAndFormerServices(db, user.id)
    if (limit === undefined) return allServices.map(presentNumber)
    const start = Math.max(
      0,
      allServices.findIndex(({ id }) => id === from),
    )
    return allServices.slice(start, start + limit).map(presentNumber)
  }),
  route(
    listPurchases,
    {
      access: 'verified',
      read: () => readNewestPurchases,
      values: ({ params, query }) => getNewestPurchasesParams(params.uuid, query.before),
    },
    ({ visit: { user }, params: { uuid }, query, data }) =>
      listServicePurchases(db, { userId: user.id, serviceId: uuid }, query.before, data),
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
