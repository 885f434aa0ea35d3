import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'

/**
 * Stores the account after a login, which makes the page's guard redirect. Clears all other cached data, because it was
 * loaded for an anonymous visitor or a different customer.
 */
export function setSignedIn(client: QueryClient, account: Account): void {
  client.clearOthers(['account'])
  client.setQueryData(['account'], account)
}
