import * as v from 'valibot'
import { hasFailedTooOften } from '#kit/server/browser-failures.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import { countUseOfOne, inEpoch, type Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/read-part.ts'
import type { RawCall } from '#kit/server/route.ts'
import type { Visit } from '#kit/server/visit.ts'
import { resetRequestMessages, resetRequestSchema } from '../reset-request.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { epochOf } from './login-limits.ts'
import { findAccountsOf, signedIn, type User } from './users.store.ts'

type Deps = Pick<AuthDeps, 'db' | 'secrets'>

const hour = 3_600

const mailsForAnybody = 10
const mailsForKnownBrowsers = 2

/** A whole carrier may share one IP address, so its limit is generous. */
const limitsOfCaller = (visit: Visit): Limit[] => [
  { key: `reset-request:address:${visit.clientIp}`, times: 300, seconds: hour },
  { key: `reset-request:session:${visit.session.token}`, times: 5, seconds: hour },
]

/**
 * Part of the limits' keys. A new count starts when the address gets its first account, when an account verifies the
 * address, and when the verified account gets a new password. In each case no earlier link works for that account.
 * Another unverified account does not start a new count.
 */
function linksState([first]: User[]): string {
  if (!first) return 'no-account'
  return first.email_verified_at ? `${first.id}:${first.password_hash}` : 'unverified'
}

/**
 * Counts a request for reset links, whether or not the email address has an account. The limits of an email address are
 * strict. Once they are used up, the last mail is less than an hour old and its links still work.
 * @throws 429 with Retry-After
 */
export async function countResetRequest(deps: Deps, visit: Visit, email: string): Promise<void> {
  const accounts = await findAccountsOf(deps.db, email)
  const epoch = epochOf(accounts)
  const address = `${email}:${linksState(accounts)}`
  const ordinary = [
    ...limitsOfCaller(visit),
    { key: inEpoch(`reset-request:email:${address}:from:${visit.clientIp}`, epoch), times: 5, seconds: hour },
    strict(inEpoch(`reset-request:email:${address}`, epoch), mailsForAnybody),
  ]
  const reserved = [strict(inEpoch(`reset-request:known:${address}`, epoch), mailsForKnownBrowsers)]
  const lists = (await isKnownToOne(deps, visit, accounts)) ? [ordinary, reserved] : [ordinary]
  await countUseOfOne(deps.db, lists, [resetRequestMessages.earlier])
}

const strict = (key: string, times: number): Limit => ({ key, times, seconds: hour, isStrict: true })

async function isKnownToOne({ db, secrets }: Deps, visit: Visit, accounts: User[]): Promise<boolean> {
  const [device] = accounts.flatMap((account) => knownDevice(secrets, visit, signedIn(account)) ?? [])
  return device !== undefined && !(await hasFailedTooOften(db, device))
}

export async function limitsOfResetRequest(deps: Deps, { visit, body }: RawCall): Promise<Limit[]> {
  const asked = v.safeParse(resetRequestSchema, body)
  if (!asked.success || !isStorable(asked.output)) return limitsOfCaller(visit)
  await countResetRequest(deps, visit, asked.output.email)
  return []
}
