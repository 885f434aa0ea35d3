import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { erasureQuery, marketingQuery } from './privacy.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api), erasureQuery(api), marketingQuery(api)]
export const redirect: PageNeeds['redirect'] = forCustomers
