import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
export const redirect: PageNeeds['redirect'] = (client, place) =>
  forCustomers(client, place) ?? '/account/contact-details/'
