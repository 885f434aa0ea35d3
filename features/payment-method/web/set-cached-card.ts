import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account, CardToken } from '#features/auth/auth.contract.ts'

export function setCachedCard(client: QueryClient, card: CardToken | null): void {
  const account = client.getQueryData<Account>(['account'])
  if (account?.user)
    client.setQueryData<Account>(['account'], { ...account, user: { ...account.user, credit_card_token: card } })
}
