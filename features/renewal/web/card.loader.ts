import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { planFiltersQuery, productsQuery } from '#features/plans/web/plans.queries.ts'
import { isServiceMissing, servicesQueryForPage } from '#features/services/web/services.queries.ts'

export const queries: PageLoader['queries'] = (api, params, search) => [
  accountQuery(api),
  servicesQueryForPage(api, params, search),
  productsQuery(api),
  planFiltersQuery(api),
]
export const redirect: PageLoader['redirect'] = requireCustomer
export const notFound = isServiceMissing
