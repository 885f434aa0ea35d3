import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { historyQuery, isHistoryMissing } from './history.queries.ts'

export const queries: PageNeeds['queries'] = (api, { uuid = '' }) => [
  accountQuery(api),
  servicesQuery(api),
  historyQuery(api, uuid),
]
export const redirect: PageNeeds['redirect'] = forCustomers
// Of a number that is gone, too.
export const missing: PageNeeds['missing'] = isHistoryMissing
