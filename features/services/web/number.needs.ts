import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { isServiceMissing, servicesQuery } from './services.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api), servicesQuery(api)]
export const redirect: PageNeeds['redirect'] = forCustomers
export const missing = isServiceMissing
