import * as v from 'valibot'
import type { Db } from '#kit/server/db.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/route.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { loginSchema } from '../login.contract.ts'
import { findUserIdByEmail } from './users.store.ts'

const seconds = 900

/**
 * What a try to sign in counts against; one that succeeds is taken back. The narrowest comes first, so that whoever has
 * used theirs up takes nothing from the others. A browser that has signed in to this account before has a count of its own
 * in place of all of these: no guessing from elsewhere, or from the same address, keeps its owner out.
 */
export function loginLimits(secrets: Secrets, visit: Visit, email: string, userId: string | null): Limit[] {
  const device = userId && knownDevice(secrets, visit, userId)
  if (device) return [{ key: `login:device:${device}`, times: 10, seconds }]
  return [
    // By the address that was typed, whether or not it has an account: both are limited alike.
    { key: `login:account:${email}:from:${visit.address}`, times: 10, seconds },
    addressLimit(visit),
    { key: `login:account:${email}`, times: 100, seconds },
  ]
}

/** The same for a call whose body nobody has looked at yet. */
export async function limitsOfLoginCall(deps: { db: Db; secrets: Secrets }, visit: Visit, body: unknown): Promise<Limit[]> {
  const named = v.safeParse(v.object({ username: loginSchema.entries.username }), body)
  if (!named.success || !isStorable(named.output)) return [addressLimit(visit)]
  const { username } = named.output
  return loginLimits(deps.secrets, visit, username, await findUserIdByEmail(deps.db, username))
}

const addressLimit = (visit: Visit): Limit => ({ key: `login:address:${visit.address}`, times: 200, seconds })
