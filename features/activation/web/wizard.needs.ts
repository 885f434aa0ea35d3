import type { PageNeeds } from '#kit/web/page.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

/** Every page of the wizard needs the activation, whose state determines the page. */
export const queries: PageNeeds['queries'] = (api) => [activationQuery(api)]
export const redirect: PageNeeds['redirect'] = wizardRedirect
