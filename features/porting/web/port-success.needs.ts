import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { isServiceMissing, pageServicesQuery } from '#features/services/web/services.queries.ts'
import { isTransferUnderWay } from './porting.queries.ts'

export const queries: PageNeeds['queries'] = (api, params, search) => [
  accountQuery(api),
  pageServicesQuery(api, params, search),
]
export const redirect: PageNeeds['redirect'] = (client, place) =>
  forCustomers(client, place) ?? (isTransferUnderWay(client, place.params['uuid'] ?? '') === false ? '/' : null)
export const missing = isServiceMissing
