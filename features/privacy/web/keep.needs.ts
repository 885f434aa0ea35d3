import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'

/** Open to all; the page's frame says who is signed in. */
export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
