import type { PageNeeds } from '#kit/web/page.ts'
import { portingProvidersQuery } from '#features/porting/web/porting.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [activationQuery(api), portingProvidersQuery(api)]
export const redirect: PageNeeds['redirect'] = wizardRedirect
