import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import type { Account } from '#features/auth/auth.contract.ts'

/** For a contact phone that waits to be confirmed; once it is, or without one, there is nothing to do here. */
export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]
export const redirect: PageNeeds['redirect'] = (client, place) =>
  forCustomers(client, place) ??
  (client.getQueryData<Account>(['account'])?.user?.email_verification ? null : '/account/contact-details/')
