import type { PageLoader } from '#kit/web/page.ts'
import { activationQuery, wizardRedirect } from './activation.queries.ts'

export const queries: PageLoader['queries'] = (api) => [activationQuery(api)]
export const redirect: PageLoader['redirect'] = wizardRedirect
