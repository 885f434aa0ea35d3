import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'

/**
 * Stores the account after a login, which makes the page's guard redirect. All other cached data is cleared, because it
 * belongs to a visitor or to another customer.
 */
export function setSignedIn(client: QueryClient, account: Account): void {
  client.clearOthers(['account'])
  client.setQueryData(['account'], account)
}
