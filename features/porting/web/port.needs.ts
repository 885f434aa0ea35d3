import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { isServiceMissing, servicesQuery } from '#features/services/web/services.queries.ts'
import { donorsQuery, lastPortQuery } from './porting.queries.ts'

export const queries: PageNeeds['queries'] = (api, { uuid = '' }) => [
  accountQuery(api),
  servicesQuery(api),
  donorsQuery(api),
  lastPortQuery(api, uuid),
]
export const redirect: PageNeeds['redirect'] = forCustomers
export const missing = isServiceMissing
