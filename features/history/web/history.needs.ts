import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { pageServicesQuery } from '#features/services/web/services.queries.ts'
import { historyQuery, isHistoryMissing } from './history.queries.ts'

export const queries: PageNeeds['queries'] = (api, params, search) => [
  accountQuery(api),
  pageServicesQuery(api, params, search),
  historyQuery(api, params['uuid'] ?? ''),
]
export const redirect: PageNeeds['redirect'] = forCustomers
// A released number keeps its history.
export const missing: PageNeeds['missing'] = isHistoryMissing
