import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forSignedIn } from '#features/auth/web/guards.ts'
import { changeEmailQuery } from './change-email.queries.ts'

/** Open to an unconfirmed address too: it may be the wrong one. */
export const queries: PageNeeds['queries'] = (api) => [accountQuery(api), changeEmailQuery(api)]
export const redirect: PageNeeds['redirect'] = forSignedIn
