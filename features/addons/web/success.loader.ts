import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { orderQueriesForPage, readOrderCode } from '#features/orders/web/orders.queries.ts'
import { isServiceMissing, servicesQueryForPage } from '#features/services/web/services.queries.ts'

export const queries: PageLoader['queries'] = (api, params, search) => [
  accountQuery(api),
  servicesQueryForPage(api, params, search),
  ...orderQueriesForPage(api, search),
]

/** Redirects to the dashboard if the URL contains no order, unless the page will say that the service was not found. */
export const redirect: PageLoader['redirect'] = (client, place) =>
  requireCustomer(client, place) ?? (readOrderCode(place.search) || isServiceMissing(client, place.params) ? null : '/')
export const notFound = isServiceMissing
