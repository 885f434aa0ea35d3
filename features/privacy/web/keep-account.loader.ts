import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'

/** This page is public; the account is loaded only for the page header. */
export const queries: PageLoader['queries'] = (api) => [accountQuery(api)]
