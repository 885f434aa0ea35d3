import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from './account.queries.ts'
import { forCustomers } from './guards.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
export const redirect = forCustomers
