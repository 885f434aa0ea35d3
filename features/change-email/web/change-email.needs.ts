import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forSignedIn } from '#features/auth/web/guards.ts'
import { changeEmailQuery } from './change-email.queries.ts'

/** Also for an unconfirmed address, because it may be mistyped. */
export const queries: PageNeeds['queries'] = (api) => [accountQuery(api), changeEmailQuery(api)]
export const redirect: PageNeeds['redirect'] = forSignedIn
