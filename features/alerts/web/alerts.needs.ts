import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { isServiceMissing, pageServicesQuery } from '#features/services/web/services.queries.ts'
import { alertsQuery } from './alerts.queries.ts'

export const queries: PageNeeds['queries'] = (api, params, search) => [
  accountQuery(api),
  pageServicesQuery(api, params, search),
  alertsQuery(api, params['uuid'] ?? ''),
]
export const redirect: PageNeeds['redirect'] = forCustomers
export const missing = isServiceMissing
