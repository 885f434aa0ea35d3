import { type Passwords, saltPartOf } from '#kit/server/password.ts'
import type { User } from './users.store.ts'

/**
 * Which of these accounts of an address a password opens, in their order; and its hash under the address's salt. A right
 * password costs one hash however many accounts there are, a wrong one two, whether or not anybody has the address: the
 * second is for an account that has moved here and has the salt of its old address until its owner logs in.
 */
export async function matchPassword<A extends Pick<User, 'password_hash'>>(
  passwords: Passwords,
  { email, accounts }: { email: string; accounts: A[] },
  password: string,
): Promise<{ hash: string; matches: A[] }> {
  const hash = await passwords.hash(password, email)
  const right = new Set(accounts.filter((account) => passwords.isSame(hash, account.password_hash)))
  // The verified one comes first. A second is from before addresses had salts; there are no more.
  const moved = accounts
    .filter((account) => account.password_hash !== '' && saltPartOf(account.password_hash) !== saltPartOf(hash))
    .slice(0, 2)
  for (const account of moved) if (await passwords.verify(password, account.password_hash)) right.add(account)
  if (moved.length === 0 && right.size === 0) await passwords.verify(password, passwords.decoy)
  return { hash, matches: accounts.filter((account) => right.has(account)) }
}
