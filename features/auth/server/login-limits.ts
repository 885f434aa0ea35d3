import * as v from 'valibot'
import type { Db } from '#kit/server/db.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import type { Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/read-part.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { loginSchema } from '../login.contract.ts'
import { findAccountsOf } from './users.store.ts'

const seconds = 900

/** An account of the address. */
type Account = { id: string }

/**
 * What a try to sign in counts against; one that succeeds does not count in the end. A browser that has signed in to one of the
 * address's accounts before has a count of its own in place of all of these: no guessing from elsewhere, or from the same
 * address, keeps its owner out.
 */
export const loginLimits = (secrets: Secrets, visit: Visit, email: string, accounts: Account[]): Limit[] =>
  deviceLimits(secrets, visit, accounts) ?? [ipLimit(visit), ...accountLimits(visit, email)]

/** What a password that is typed to sign up counts against: as a login does, but not by the visitor's network address. */
export const signupLimits = (secrets: Secrets, visit: Visit, email: string, accounts: Account[]): Limit[] =>
  deviceLimits(secrets, visit, accounts) ?? accountLimits(visit, email)

function deviceLimits(secrets: Secrets, visit: Visit, accounts: Account[]): Limit[] | null {
  const device = accounts.map(({ id }) => knownDevice(secrets, visit, id)).find(Boolean)
  return device ? [{ key: `login:device:${device}`, times: 10, seconds }] : null
}

/** By the address that was typed, whether or not it has an account: both are limited alike. */
const accountLimits = (visit: Visit, email: string): Limit[] => [
  { key: `login:account:${email}:from:${visit.clientIp}`, times: 10, seconds },
  { key: `login:account:${email}`, times: 100, seconds },
]

/** The limits of a login whose body was not checked yet. */
export async function limitsOfLoginCall(
  deps: { db: Db; secrets: Secrets },
  visit: Visit,
  body: unknown,
): Promise<Limit[]> {
  const named = v.safeParse(v.object({ username: loginSchema.entries.username }), body)
  if (!named.success || !isStorable(named.output)) return [ipLimit(visit)]
  const { username } = named.output
  return loginLimits(deps.secrets, visit, username, await findAccountsOf(deps.db, username))
}

const ipLimit = (visit: Visit): Limit => ({ key: `login:address:${visit.clientIp}`, times: 200, seconds })
