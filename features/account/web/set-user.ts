import type { QueryClient } from '#kit/web/query/query-client.ts'
import type { Account, User } from '#features/auth/auth.contract.ts'
import type { SavedUser } from '../contact-details.contract.ts'

export function setUser(client: QueryClient, user: User): void {
  client.setQueryData<Account>(['account'], { authenticated: true, user })
}

/** Stores the account after a save. A save that requests no new contact phone keeps the one that is still pending. */
export function setSavedUser(client: QueryClient, { email_verification: requested, ...user }: SavedUser): void {
  const pendingVerification = requested ?? client.getQueryData<Account>(['account'])?.user?.email_verification
  setUser(client, {
    ...user,
    email_verification: pendingVerification && pendingVerification.phone !== user.phone ? pendingVerification : null,
  })
}
