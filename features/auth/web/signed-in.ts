import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account } from '../auth.contract.ts'

/**
 * A user has just signed in: the page's guard leads on. What this tab was told before was for a visitor, or for another
 * customer whose session had ended.
 */
export function setSignedIn(client: QueryClient, account: Account): void {
  client.clearOthers(['account'])
  client.setQueryData(['account'], account)
}
