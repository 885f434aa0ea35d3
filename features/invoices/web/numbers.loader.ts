import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { numbersQuery } from './invoices.queries.ts'

export const queries: PageLoader['queries'] = (api, _params, search) => [accountQuery(api), numbersQuery(api, search)]
export const redirect: PageLoader['redirect'] = requireCustomer
