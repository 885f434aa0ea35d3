import type { PageNeeds } from '#kit/web/page.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

/** What every page of the wizard needs: the activation, whose state says which page it is. */
export const queries: PageNeeds['queries'] = (api) => [activationQuery(api)]
export const redirect: PageNeeds['redirect'] = wizardRedirect
