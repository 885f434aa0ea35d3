import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account, User } from '#features/auth/auth.contract.ts'

export function setUser(client: QueryClient, user: User): void {
  client.setQueryData<Account>(['account'], { authenticated: true, user })
}
