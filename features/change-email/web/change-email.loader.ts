import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireSignedIn } from '#features/auth/web/guards.ts'
import { changeEmailQuery } from './change-email.queries.ts'

/** Also for an unconfirmed address, because it may be mistyped. */
export const queries: PageLoader['queries'] = (api) => [accountQuery(api), changeEmailQuery(api)]
export const redirect: PageLoader['redirect'] = requireSignedIn
