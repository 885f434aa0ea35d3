import { passwordForms, type Passwords, getSaltPrefix } from '#kit/server/password.ts'
import type { User } from './users.store.ts'

/** The most hashes that a login computes. */
const maxHashes = 3

/**
 * Returns the accounts that this password opens, in the given order, and the hash that new passwords have, with the email address's salt. A
 * correct password usually costs one hash. A wrong one costs two, or three if it has several Unicode forms, whether or not the address has
 * any accounts. The second hash is for an account that switched to this address and keeps its former address's salt until its next login.
 * The third is for an account whose password was hashed before passwords were normalised.
 */
export async function matchPassword<A extends Pick<User, 'password_hash'>>(
  passwords: Passwords,
  { email, accounts }: { email: string; accounts: A[] },
  password: string,
): Promise<{ hash: string; matches: A[] }> {
  const [normalised, ...otherForms] = passwordForms(password)
  const hash = await passwords.hash(normalised, email)
  let hashCount = 1
  const matchingAccounts = new Set(accounts.filter((account) => passwords.isSame(hash, account.password_hash)))
  /*
   * At most two accounts can have a different salt: the verified account, which comes first, and one created before
   * salts depended on the address.
   */
  const accountsWithOldSalt = accounts
    .filter((account) => account.password_hash !== '' && getSaltPrefix(account.password_hash) !== getSaltPrefix(hash))
    .slice(0, 2)
  for (const account of accountsWithOldSalt) {
    if (await passwords.verify(normalised, account.password_hash)) matchingAccounts.add(account)
    hashCount++
  }
  const isUnmatched = (account: A): boolean => account.password_hash !== '' && !matchingAccounts.has(account)
  for (const form of otherForms) {
    for (const account of accountsWithOldSalt.filter(isUnmatched)) {
      if (hashCount >= maxHashes) break
      if (await passwords.verify(form, account.password_hash)) matchingAccounts.add(account)
      hashCount++
    }
    const accountsWithNewSalt = accounts.filter(
      (account) => isUnmatched(account) && !accountsWithOldSalt.includes(account),
    )
    if (accountsWithNewSalt.length === 0 || hashCount >= maxHashes) continue
    const formHash = await passwords.hash(form, email)
    hashCount++
    for (const account of accountsWithNewSalt)
      if (passwords.isSame(formHash, account.password_hash)) matchingAccounts.add(account)
  }
  const hashesOfWrongPassword = otherForms.length === 0 ? 2 : maxHashes
  if (matchingAccounts.size === 0)
    for (; hashCount < hashesOfWrongPassword; hashCount++) await passwords.verify(normalised, passwords.decoy)
  return { hash, matches: accounts.filter((account) => matchingAccounts.has(account)) }
}
