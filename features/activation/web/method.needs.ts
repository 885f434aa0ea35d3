import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

// BACK passes over the personal details of a customer who is signed in, and their saved card pays.
export const queries: PageNeeds['queries'] = (api) => [activationQuery(api), accountQuery(api)]
export const redirect: PageNeeds['redirect'] = wizardRedirect
