import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { invoiceQuery, isInvoiceMissing, invoiceTitle } from './invoices.queries.ts'

export const queries: PageLoader['queries'] = (api, { uuid = '', orderCode = '' }) => [
  accountQuery(api),
  invoiceQuery(api, uuid, orderCode),
]
export const redirect: PageLoader['redirect'] = requireCustomer
export const notFound: PageLoader['notFound'] = isInvoiceMissing
export const title: PageLoader['title'] = invoiceTitle
