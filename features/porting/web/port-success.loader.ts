import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { isServiceMissing, servicesQueryForPage } from '#features/services/web/services.queries.ts'
import { isTransferUnderWay } from './porting.queries.ts'

export const queries: PageLoader['queries'] = (api, params, search) => [
  accountQuery(api),
  servicesQueryForPage(api, params, search),
]
export const redirect: PageLoader['redirect'] = (client, place) =>
  requireCustomer(client, place) ?? (isTransferUnderWay(client, place.params['uuid'] ?? '') === false ? '/' : null)
export const notFound = isServiceMissing
