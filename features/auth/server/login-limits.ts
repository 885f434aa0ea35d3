import * as v from 'valibot'
import type { Db } from '#kit/server/db.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/route.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { loginSchema } from '../login.contract.ts'
import { findAccountsOf } from './users.store.ts'

const seconds = 900

/**
 * What a try to sign in counts against; one that succeeds is taken back. The narrowest comes first, so that whoever has
 * used theirs up takes nothing from the others. A browser that has signed in to one of the address's accounts before has a
 * count of its own in place of all of these: no guessing from elsewhere, or from the same address, keeps its owner out.
 */
export function loginLimits(secrets: Secrets, visit: Visit, email: string, userIds: string[]): Limit[] {
  const [ofBrowser, ofAll] = accountLimits(secrets, visit, email, userIds)
  return ofAll ? [ofBrowser, addressLimit(visit), ofAll] : [ofBrowser]
}

/** The same without what is shared by everybody at the visitor's address: for a password that is typed to sign up. */
export function accountLimits(secrets: Secrets, visit: Visit, email: string, userIds: string[]): [Limit, Limit?] {
  const device = userIds.map((id) => knownDevice(secrets, visit, id)).find(Boolean)
  if (device) return [{ key: `login:device:${device}`, times: 10, seconds }]
  return [
    // By the address that was typed, whether or not it has an account: both are limited alike.
    { key: `login:account:${email}:from:${visit.address}`, times: 10, seconds },
    { key: `login:account:${email}`, times: 100, seconds },
  ]
}

/** The same for a call whose body nobody has looked at yet. */
export async function limitsOfLoginCall(deps: { db: Db; secrets: Secrets }, visit: Visit, body: unknown): Promise<Limit[]> {
  const named = v.safeParse(v.object({ username: loginSchema.entries.username }), body)
  if (!named.success || !isStorable(named.output)) return [addressLimit(visit)]
  const { username } = named.output
  const accounts = await findAccountsOf(deps.db, username)
  return loginLimits(deps.secrets, visit, username, accounts.map(({ id }) => id))
}

const addressLimit = (visit: Visit): Limit => ({ key: `login:address:${visit.address}`, times: 200, seconds })
