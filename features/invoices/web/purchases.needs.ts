import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { pageServicesQuery } from '#features/services/web/services.queries.ts'
import { arePurchasesMissing, beforeIn, purchasesQuery } from './invoices.queries.ts'

export const queries: PageNeeds['queries'] = (api, params, search) => [
  accountQuery(api),
  pageServicesQuery(api, params, search),
  purchasesQuery(api, params['uuid'] ?? '', beforeIn(search)),
]
export const redirect: PageNeeds['redirect'] = forCustomers
// Not `isServiceMissing`, because a released service keeps its history.
export const missing: PageNeeds['missing'] = arePurchasesMissing
