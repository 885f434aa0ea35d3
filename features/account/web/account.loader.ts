import type { PageLoader } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { requireCustomer } from '#features/auth/web/guards.ts'

export const queries: PageLoader['queries'] = (api) => [accountQuery(api)]
export const redirect: PageLoader['redirect'] = (client, place) =>
  requireCustomer(client, place) ?? '/account/contact-details/'
