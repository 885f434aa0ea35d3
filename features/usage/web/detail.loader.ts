import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { adviceQuery } from '#features/history/web/advice.queries.ts'
import { isServiceMissing, servicesQueryForPage } from '#features/services/web/services.queries.ts'

// The phone number is rendered with the page. The browser requests the usage details from the network later.
export const queries: PageLoader['queries'] = (api, params, search) => [
  accountQuery(api),
  servicesQueryForPage(api, params, search),
  adviceQuery(api, params['uuid'] ?? ''),
]
export const redirect: PageLoader['redirect'] = requireCustomer
export const notFound = isServiceMissing
