import type { PageNeeds } from '#kit/web/page.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [activationQuery(api)]
export const redirect: PageNeeds['redirect'] = wizardRedirect
