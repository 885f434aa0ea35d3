import { type Passwords, saltPrefixOf } from '#kit/server/password.ts'
import type { User } from './users.store.ts'

/**
 * Returns the accounts that this password opens, in the given order, and the password's hash with the email address's
 * salt. A correct password costs one hash and a wrong one costs two, whether or not the address has any accounts. The
 * second hash is for an account that switched to this address and keeps its former address's salt until its next login.
 */
export async function matchPassword<A extends Pick<User, 'password_hash'>>(
  passwords: Passwords,
  { email, accounts }: { email: string; accounts: A[] },
  password: string,
): Promise<{ hash: string; matches: A[] }> {
  const hash = await passwords.hash(password, email)
  const matchingAccounts = new Set(accounts.filter((account) => passwords.isSame(hash, account.password_hash)))
  /*
   * At most two accounts can have a different salt: the verified account, which comes first, and one created before
   * salts depended on the address.
   */
  const accountsWithOldSalt = accounts
    .filter((account) => account.password_hash !== '' && saltPrefixOf(account.password_hash) !== saltPrefixOf(hash))
    .slice(0, 2)
  for (const account of accountsWithOldSalt)
    if (await passwords.verify(password, account.password_hash)) matchingAccounts.add(account)
  if (accountsWithOldSalt.length === 0 && matchingAccounts.size === 0) await passwords.verify(password, passwords.decoy)
  return { hash, matches: accounts.filter((account) => matchingAccounts.has(account)) }
}
