import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { arePurchasesMissing, beforeIn, purchasesQuery } from './invoices.queries.ts'

export const queries: PageNeeds['queries'] = (api, { uuid = '' }, search) => [
  accountQuery(api),
  servicesQuery(api),
  purchasesQuery(api, uuid, beforeIn(search)),
]
export const redirect: PageNeeds['redirect'] = forCustomers
// Not `isServiceMissing`: the history of a service that was released stays.
export const missing: PageNeeds['missing'] = arePurchasesMissing
