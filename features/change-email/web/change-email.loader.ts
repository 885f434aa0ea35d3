import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireSignedIn } from '#features/auth/web/guards.ts'
import { changeEmailQuery } from './change-email.queries.ts'

/** Loads the page for an unconfirmed address, too, because a mistyped address can only be corrected here. */
export const queries: PageLoader['queries'] = (api) => [accountQuery(api), changeEmailQuery(api)]
export const redirect: PageLoader['redirect'] = requireSignedIn
