import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'
import { eventsQuery, sessionsQuery } from './security.queries.ts'

export const queries: PageLoader['queries'] = (api) => [accountQuery(api), sessionsQuery(api), eventsQuery(api)]
export const redirect: PageLoader['redirect'] = requireCustomer
