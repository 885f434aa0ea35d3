import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'

/** The page is public; the account is needed only for its header. */
export const queries: PageLoader['queries'] = (api) => [accountQuery(api)]
