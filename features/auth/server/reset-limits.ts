import * as v from 'valibot'
import { hasFailedTooOften } from '#kit/server/browser-login-failures.ts'
import { findKnownDeviceId } from '#kit/server/known-device.ts'
import { countFirstAvailableLimits, addEpochToLimitKey, type Limit } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/parse-request-part.ts'
import type { RawRequest } from '#kit/server/route.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { resetRequestMessages, resetRequestSchema } from '../reset-request.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { sumLimitsEpochs } from './login-limits.ts'
import { listAccountsWithEmail, toSignedInUser, type User } from './users.store.ts'

type LimitDeps = Pick<AuthDeps, 'db' | 'secrets'>

const hourSeconds = 3_600

const maxMailsForAnyone = 10
const maxMailsForKnownBrowsers = 2

/** The limit per IP address is high, because many of a carrier's customers may share one address. */
const requesterLimits = (visit: RequestContext): Limit[] => [
  { key: `reset-request:address:${visit.clientIp}`, times: 300, seconds: hourSeconds },
  { key: `reset-request:session:${visit.session.token}`, times: 5, seconds: hourSeconds },
]

/**
 * Returns the part of the rate-limit keys that changes when the count has to start again: when the address gets its
 * first account, when an account verifies the address, and when the verified account gets a new password. In each of
 * these cases, links sent earlier no longer work for that account. Adding another unverified account does not restart
 * the count.
 */
function buildResetCountKey([first]: User[]): string {
  if (!first) return 'no-account'
  return first.email_verified_at ? `${first.id}:${first.password_hash}` : 'unverified'
}

/**
 * Counts a reset request, whether or not the email address has an account. The limits per address apply to any period
 * of an hour. So when they are used up, the last email was sent less than an hour ago and its links still work.
 * @throws 429 with Retry-After
 */
export async function countResetRequest(deps: LimitDeps, visit: RequestContext, email: string): Promise<void> {
  const accounts = await listAccountsWithEmail(deps.db, email)
  const limitsEpoch = sumLimitsEpochs(accounts)
  const addressKey = `${email}:${buildResetCountKey(accounts)}`
  const ordinaryLimits = [
    ...requesterLimits(visit),
    {
      key: addEpochToLimitKey(`reset-request:email:${addressKey}:from:${visit.clientIp}`, limitsEpoch),
      times: 5,
      seconds: hourSeconds,
    },
    createStrictLimit(addEpochToLimitKey(`reset-request:email:${addressKey}`, limitsEpoch), maxMailsForAnyone),
  ]
  const reservedLimits = [
    createStrictLimit(addEpochToLimitKey(`reset-request:known:${addressKey}`, limitsEpoch), maxMailsForKnownBrowsers),
  ]
  const limitLists = (await isKnownBrowser(deps, visit, accounts)) ? [ordinaryLimits, reservedLimits] : [ordinaryLimits]
  await countFirstAvailableLimits(deps.db, limitLists, [resetRequestMessages.earlier])
}

const createStrictLimit = (key: string, times: number): Limit => ({ key, times, seconds: hourSeconds, isStrict: true })

async function isKnownBrowser({ db, secrets }: LimitDeps, visit: RequestContext, accounts: User[]): Promise<boolean> {
  const [deviceId] = accounts.flatMap((account) => findKnownDeviceId(secrets, visit, toSignedInUser(account)) ?? [])
  return deviceId !== undefined && !(await hasFailedTooOften(db, deviceId))
}

export async function checkResetRequestLimits(deps: LimitDeps, { visit, body }: RawRequest): Promise<Limit[]> {
  const parsedRequest = v.safeParse(resetRequestSchema, body)
  if (!parsedRequest.success || !isStorable(parsedRequest.output)) return requesterLimits(visit)
  await countResetRequest(deps, visit, parsedRequest.output.email)
  return []
}
