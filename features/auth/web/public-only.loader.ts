import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from './account.queries.ts'
import { requireSignedOut } from './guards.ts'

export const queries: PageLoader['queries'] = (api) => [accountQuery(api)]
export const redirect = requireSignedOut
