import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { numbersQuery } from './invoices.queries.ts'

export const queries: PageNeeds['queries'] = (api, _params, search) => [accountQuery(api), numbersQuery(api, search)]
export const redirect: PageNeeds['redirect'] = forCustomers
