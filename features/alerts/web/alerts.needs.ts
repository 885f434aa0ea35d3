import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { isServiceMissing, servicesQuery } from '#features/services/web/services.queries.ts'
import { alertsQuery } from './alerts.queries.ts'

export const queries: PageNeeds['queries'] = (api, { uuid = '' }) => [
  accountQuery(api),
  servicesQuery(api),
  alertsQuery(api, uuid),
]
export const redirect: PageNeeds['redirect'] = forCustomers
export const missing = isServiceMissing
