import type { PageNeeds } from '#kit/web/page.ts'
import { planFiltersQuery, productsQuery } from '#features/plans/web/plans.queries.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [activationQuery(api), productsQuery(api), planFiltersQuery(api)]
export const redirect: PageNeeds['redirect'] = wizardRedirect
