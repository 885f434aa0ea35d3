import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { servicesQueryForPage } from '#features/services/web/services.queries.ts'
import { historyQuery, isHistoryMissing } from './history.queries.ts'

export const queries: PageLoader['queries'] = (api, params, search) => [
  accountQuery(api),
  servicesQueryForPage(api, params, search),
  historyQuery(api, params['uuid'] ?? ''),
]
export const redirect: PageLoader['redirect'] = requireCustomer
// A missing history means that the number was never the customer's, because even a released number keeps its history.
export const notFound: PageLoader['notFound'] = isHistoryMissing
