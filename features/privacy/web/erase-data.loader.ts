import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { erasureQuery } from './privacy.queries.ts'

export const queries: PageLoader['queries'] = (api) => [accountQuery(api), erasureQuery(api)]
export const redirect: PageLoader['redirect'] = requireCustomer
