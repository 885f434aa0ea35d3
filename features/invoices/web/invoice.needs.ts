import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { invoiceQuery, isInvoiceMissing, titleOfInvoice } from './invoices.queries.ts'

export const queries: PageNeeds['queries'] = (api, { uuid = '', orderCode = '' }) => [
  accountQuery(api),
  invoiceQuery(api, uuid, orderCode),
]
export const redirect: PageNeeds['redirect'] = forCustomers
export const missing: PageNeeds['missing'] = isInvoiceMissing
export const title: PageNeeds['title'] = titleOfInvoice
