import type { PageLoader } from '#kit/web/page.ts'
import type { Account } from '../auth.contract.ts'
import { accountQuery } from './account.queries.ts'

export const queries: PageLoader['queries'] = (api) => [accountQuery(api)]

export const redirect: PageLoader['redirect'] = (client) => {
  const account = client.getQueryData<Account>(['account'])
  if (!account?.authenticated) return null
  return account.user?.email_verified ? '/?reset-link' : '/verify/?reset-link'
}
