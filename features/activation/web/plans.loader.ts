import type { PageLoader } from '#kit/web/page.ts'
import { planFiltersQuery, productsQuery } from '#features/plans/web/plans.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

export const queries: PageLoader['queries'] = (api) => [activationQuery(api), productsQuery(api), planFiltersQuery(api)]
export const redirect: PageLoader['redirect'] = wizardRedirect
