import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireSignedIn } from '#features/auth/web/guards.ts'
import { changeEmailQuery } from './change-email.queries.ts'

/** Customers with an unverified address can also open this page, because a mistyped address can be corrected only here. */
export const queries: PageLoader['queries'] = (api) => [accountQuery(api), changeEmailQuery(api)]
export const redirect: PageLoader['redirect'] = requireSignedIn
