import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

// This page also needs the account, because BACK skips the personal-details step if the customer is signed in.
export const queries: PageLoader['queries'] = (api) => [activationQuery(api), accountQuery(api)]
export const redirect: PageLoader['redirect'] = wizardRedirect
