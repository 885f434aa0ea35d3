import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { pageServicesQuery } from '#features/services/web/services.queries.ts'
import { arePurchasesMissing, cursorIn, purchasesQuery } from './invoices.queries.ts'

export const queries: PageLoader['queries'] = (api, params, search) => [
  accountQuery(api),
  pageServicesQuery(api, params, search),
  purchasesQuery(api, params['uuid'] ?? '', cursorIn(search)),
]
export const redirect: PageLoader['redirect'] = requireCustomer
// `isServiceMissing` would be wrong here, because a released service keeps its purchase history.
export const notFound: PageLoader['notFound'] = arePurchasesMissing
