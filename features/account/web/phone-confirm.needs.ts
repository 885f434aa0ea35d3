import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import type { Account } from '#features/auth/auth.contract.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
export const redirect: PageNeeds['redirect'] = (client, place) =>
  forCustomers(client, place) ??
  (client.getQueryData<Account>(['account'])?.user?.email_verification ? null : '/account/contact-details/')
