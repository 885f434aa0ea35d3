import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

// Load the account too: BACK skips the personal details of a signed-in customer, and the saved card can be used to pay.
export const queries: PageLoader['queries'] = (api) => [activationQuery(api), accountQuery(api)]
export const redirect: PageLoader['redirect'] = wizardRedirect
