import * as v from 'valibot'
import type { Db } from '#kit/server/db.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import { inEpoch, type Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/read-part.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { loginSchema } from '../login.contract.ts'
import { findAccountsOf } from './users.store.ts'

const seconds = 900

/** An account of the address. */
type Account = { id: string; limits_epoch: number }

/** The address that was typed, all of its accounts, and those whose password it may be, where that is not all. */
type Typed = { email: string; accounts: Account[]; tried?: Account[] }

/** What is counted for an address begins anew when the limits of one of its accounts are lifted. */
export const epochOf = (accounts: Account[]): number =>
  accounts.reduce((sum, { limits_epoch: epoch }) => sum + epoch, 0)

/**
 * What a try to sign in counts against; one that succeeds does not count in the end. A browser that has signed in to one of the
 * address's accounts before has a count of its own in place of all of these: no guessing from elsewhere, or from the same
 * address, keeps its owner out.
 */
export const loginLimits = (secrets: Secrets, visit: Visit, typed: Typed): Limit[] =>
  deviceLimits(secrets, visit, typed) ?? [ipLimit(visit), ...accountLimits(visit, typed)]

/** What a password that is typed to sign up counts against: as a login does, but not by the visitor's network address. */
export const signupLimits = (secrets: Secrets, visit: Visit, typed: Typed): Limit[] =>
  deviceLimits(secrets, visit, typed) ?? accountLimits(visit, typed)

function deviceLimits(secrets: Secrets, visit: Visit, { accounts, tried = accounts }: Typed): Limit[] | null {
  const device = tried.map(({ id }) => knownDevice(secrets, visit, id)).find(Boolean)
  return device ? [{ key: inEpoch(`login:device:${device}`, epochOf(accounts)), times: 10, seconds }] : null
}

/** By the address that was typed, whether or not it has an account: both are limited alike. */
const accountLimits = (visit: Visit, { email, accounts }: Typed): Limit[] => [
  { key: inEpoch(`login:account:${email}:from:${visit.clientIp}`, epochOf(accounts)), times: 10, seconds },
  loginsOfAddress(email, accounts),
]

/** From wherever they come. */
export const loginsOfAddress = (email: string, accounts: Account[]): Limit => ({
  key: inEpoch(`login:account:${email}`, epochOf(accounts)),
  times: 100,
  seconds,
})

/** The limits of a login whose body was not checked yet. */
export async function limitsOfLoginCall(
  deps: { db: Db; secrets: Secrets },
  visit: Visit,
  body: unknown,
): Promise<Limit[]> {
  const named = v.safeParse(v.object({ username: loginSchema.entries.username }), body)
  if (!named.success || !isStorable(named.output)) return [ipLimit(visit)]
  const { username } = named.output
  return loginLimits(deps.secrets, visit, { email: username, accounts: await findAccountsOf(deps.db, username) })
}

const ipLimit = (visit: Visit): Limit => ({ key: `login:address:${visit.clientIp}`, times: 200, seconds })
