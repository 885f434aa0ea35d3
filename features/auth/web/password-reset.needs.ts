import type { PageNeeds } from '#kit/web/page.ts'
import type { Account } from '../auth.contract.ts'
import { accountQuery } from './account.queries.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]

/** Who is signed in goes to the front door, as from every page for visitors. There they read why: the link is not used up. */
export const redirect: PageNeeds['redirect'] = (client) => {
  const account = client.getQueryData<Account>(['account'])
  if (!account?.authenticated) return null
  return account.user?.email_verified ? '/?reset-link' : '/verify/?reset-link'
}
