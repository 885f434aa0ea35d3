import * as v from 'valibot'
import {
  clearBrowserLoginFailures,
  countBrowserLoginFailure,
  hasFailedTooOften,
  undoBrowserLoginFailure,
} from '#kit/server/browser-login-failures.ts'
import { findKnownDeviceId } from '#kit/server/known-device.ts'
import { undoLimitUse, tryCountLimitUse, type Limit, computeSecondsUntilAllowed } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/parse-request-part.ts'
import { type HttpError, tooManyRequests } from '#kit/server/http-error.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { loginMessages, loginSchema } from '../login.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { loginsFromIpLimit, knownBrowserLimits, loginsPerEmailLimits } from './login-limits.ts'
import { listAccountsWithEmail, toSignedInUser, type User } from './users.store.ts'

type AttemptDeps = Pick<AuthDeps, 'db' | 'secrets'>

type AttemptedLogin = { email: string; accounts: User[]; candidates: User[] }

export type PasswordAttempt = {
  comparable: User[]
  knownTo: User | undefined
  /**
   * Call this after comparing the password, and pass the accounts that the password opened, so that a successful login does not use up the
   * limits.
   */
  settle(openedAccounts: readonly User[]): Promise<void>
  /** Runs the password comparison. If it throws, for example because the server is too busy, the attempt is removed from the count. */
  uncountOnError<T>(comparePassword: () => Promise<T>): Promise<T>
}

/**
 * Counts a password attempt before the password is compared. There are two sets of limits. Within the ordinary limits,
 * the password is compared with every account that has the address. Within a known browser's limits, it is compared
 * only with that browser's account, so guesses made elsewhere cannot lock the owner out. An attempt from a known
 * browser counts towards both sets.
 * @throws 429 when both sets of limits are used up
 */
export async function beginPasswordAttempt(
  deps: AttemptDeps,
  visit: RequestContext,
  attemptedLogin: AttemptedLogin,
): Promise<PasswordAttempt> {
  const { db } = deps
  const { ordinary, browser } = getAttemptLimits(deps, visit, attemptedLogin)
  const isCountedByBrowser = browser !== null && (await countBrowserAttempt(deps, browser))
  const isWithinOrdinaryLimits = await tryCountLimitUse(db, ordinary)
  if (!isWithinOrdinaryLimits && !isCountedByBrowser)
    throw createTooManyLoginsError(Math.max(1, await secondsUntilAttemptAllowed(deps, browser, ordinary)))
  const isKnownBrowser = browser !== null && (isCountedByBrowser || !(await hasFailedTooOften(db, browser.deviceId)))
  return {
    comparable: isWithinOrdinaryLimits ? attemptedLogin.candidates : browser ? [browser.account] : [],
    knownTo: isKnownBrowser ? browser.account : undefined,
    async settle(opened) {
      if (isKnownBrowser && opened.includes(browser.account)) {
        if (isCountedByBrowser) await undoLimitUse(db, browser.limits)
        await clearBrowserLoginFailures(db, browser.deviceId)
      }
      if (isWithinOrdinaryLimits) await undoLimitUse(db, getLimitsToRestore(visit, attemptedLogin, ordinary, opened))
    },
    uncountOnError: (compare) =>
      compare().catch(async (error: unknown) => {
        if (isCountedByBrowser) await undoBrowserAttemptCount(deps, browser)
        if (isWithinOrdinaryLimits) await undoLimitUse(db, ordinary)
        throw error
      }),
  }
}

/**
 * Returns the limits that no longer count an attempt once its password has proved correct. The limit per IP address is always one of them.
 * A password that opens only some of the address's accounts was also a guess at the others, so it keeps counting towards the address's
 * limits. It also keeps counting while no account is verified; otherwise somebody with an unverified account could find out whether the
 * address has other accounts.
 */
function getLimitsToRestore(
  visit: RequestContext,
  { candidates }: AttemptedLogin,
  ordinary: Limit[],
  openedAccounts: readonly User[],
): Limit[] {
  if (openedAccounts.length === 0) return []
  const isOwnersLogin =
    candidates.every((account) => openedAccounts.includes(account)) &&
    candidates.some(({ email_verified_at: verifiedAt }) => verifiedAt !== null)
  return isOwnersLogin ? ordinary : [loginsFromIpLimit(visit)]
}

type BrowserAttempt = { deviceId: string; account: User; limits: Limit[] }

function getAttemptLimits(
  { secrets }: AttemptDeps,
  visit: RequestContext,
  { email, accounts, candidates }: AttemptedLogin,
): { ordinary: Limit[]; browser: BrowserAttempt | null } {
  const [browser = null] = candidates.flatMap((account): BrowserAttempt[] => {
    const deviceId = findKnownDeviceId(secrets, visit, toSignedInUser(account))
    return deviceId ? [{ deviceId, account, limits: knownBrowserLimits(deviceId, account) }] : []
  })
  return { ordinary: [loginsFromIpLimit(visit), ...loginsPerEmailLimits(visit, email, accounts)], browser }
}

async function countBrowserAttempt({ db }: AttemptDeps, { deviceId, limits }: BrowserAttempt): Promise<boolean> {
  if (!(await tryCountLimitUse(db, limits))) return false
  if (await countBrowserLoginFailure(db, deviceId)) return true
  await undoLimitUse(db, limits)
  return false
}

async function undoBrowserAttemptCount({ db }: AttemptDeps, { deviceId, limits }: BrowserAttempt): Promise<void> {
  await undoLimitUse(db, limits)
  await undoBrowserLoginFailure(db, deviceId)
}

/**
 * Rejects a login that is over the limits, before its form is validated. `beginPasswordAttempt` counts the attempt
 * itself.
 * @throws 429 when neither set of limits allows an attempt
 */
export async function rejectLockedLogin(deps: AttemptDeps, visit: RequestContext, body: unknown): Promise<Limit[]> {
  const parsedUsername = v.safeParse(v.object({ username: loginSchema.entries.username }), body)
  if (!parsedUsername.success || !isStorable(parsedUsername.output)) return [loginsFromIpLimit(visit)]
  const { username: email } = parsedUsername.output
  const accounts = await listAccountsWithEmail(deps.db, email)
  const { ordinary, browser } = getAttemptLimits(deps, visit, { email, accounts, candidates: accounts })
  const waitSeconds = await secondsUntilAttemptAllowed(deps, browser, ordinary)
  if (waitSeconds > 0) throw createTooManyLoginsError(waitSeconds)
  return []
}

const createTooManyLoginsError = (seconds: number): HttpError => tooManyRequests(seconds, [loginMessages.locked])

/**
 * Returns how many seconds it takes until either set of limits allows an attempt, or 0 if one of them allows it now.
 * Once a browser is no longer known, only the ordinary limits apply to it.
 */
async function secondsUntilAttemptAllowed(
  { db }: AttemptDeps,
  browser: BrowserAttempt | null,
  ordinary: Limit[],
): Promise<number> {
  const waitSeconds = (await computeSecondsUntilAllowed(db, ordinary)) ?? 0
  if (waitSeconds === 0 || !browser || (await hasFailedTooOften(db, browser.deviceId))) return waitSeconds
  return Math.min(waitSeconds, (await computeSecondsUntilAllowed(db, browser.limits)) ?? 0)
}
