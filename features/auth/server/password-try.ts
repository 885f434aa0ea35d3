import * as v from 'valibot'
import {
  clearBrowserFailures,
  countBrowserFailure,
  hasFailedTooOften,
  uncountBrowserFailure,
} from '#kit/server/browser-failures.ts'
import { knownDevice } from '#kit/server/known-device.ts'
import { forgiveUse, isWithin, type Limit, waitFor } from '#kit/server/limits.ts'
import { isStorable } from '#kit/server/read-part.ts'
import { type Refusal, tooMany } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { loginMessages, loginSchema } from '../login.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { loginsFrom, loginsOfBrowser, loginsTo } from './login-limits.ts'
import { findAccountsOf, signedIn, type User } from './users.store.ts'

type Deps = Pick<AuthDeps, 'db' | 'secrets'>

type Typed = { email: string; accounts: User[]; candidates: User[] }

export type PasswordTry = {
  comparable: User[]
  knownTo: User | undefined
  /** Uncounts what was not a guess, once it is known which accounts the password opened. */
  settle(opened: readonly User[]): Promise<void>
  /** Runs the comparison. If it throws, for example on a busy machine, the try is not counted. */
  uncountIfItThrows<T>(compare: () => Promise<T>): Promise<T>
}

/**
 * Counts a password before it is compared. There are two ways, each with its own limits. The ordinary way allows a
 * comparison with every account of the address. A known browser allows a comparison with its own account only. Neither
 * guesses from elsewhere nor a crowded network can therefore lock an owner out. Each use of a known browser counts both
 * ways.
 * @throws 429 when both ways are used up
 */
export async function beginPasswordTry(deps: Deps, visit: Visit, typed: Typed): Promise<PasswordTry> {
  const { db } = deps
  const { ordinary, browser } = waysOf(deps, visit, typed)
  const isByBrowser = browser !== null && (await countBrowser(deps, browser))
  const isOrdinary = await isWithin(db, ordinary)
  if (!isOrdinary && !isByBrowser) throw locked(Math.max(1, await shortestWait(deps, browser, ordinary)))
  const isKnown = browser !== null && (isByBrowser || !(await hasFailedTooOften(db, browser.deviceId)))
  return {
    comparable: isOrdinary ? typed.candidates : browser ? [browser.account] : [],
    knownTo: isKnown ? browser.account : undefined,
    async settle(opened) {
      if (isKnown && opened.includes(browser.account)) {
        if (isByBrowser) await forgiveUse(db, browser.limits)
        await clearBrowserFailures(db, browser.deviceId)
      }
      if (isOrdinary) await forgiveUse(db, forgivable(visit, typed, ordinary, opened))
    },
    uncountIfItThrows: (compare) =>
      compare().catch(async (error: unknown) => {
        if (isByBrowser) await uncountBrowser(deps, browser)
        if (isOrdinary) await forgiveUse(db, ordinary)
        throw error
      }),
  }
}

/**
 * The counts that a successful password returns. It was also a guess at the passwords of the address's other accounts:
 * the creator of one account could otherwise guess those without limit. The holder of an unverified account must not
 * learn whether other accounts exist, so that use stays counted.
 */
function forgivable(visit: Visit, { candidates }: Typed, ordinary: Limit[], opened: readonly User[]): Limit[] {
  if (opened.length === 0) return []
  const isNoGuess =
    candidates.every((account) => opened.includes(account)) &&
    candidates.some(({ email_verified_at: verifiedAt }) => verifiedAt !== null)
  return isNoGuess ? ordinary : [loginsFrom(visit)]
}

type BrowserWay = { deviceId: string; account: User; limits: Limit[] }

function waysOf(
  { secrets }: Deps,
  visit: Visit,
  { email, accounts, candidates }: Typed,
): { ordinary: Limit[]; browser: BrowserWay | null } {
  const [browser = null] = candidates.flatMap((account): BrowserWay[] => {
    const deviceId = knownDevice(secrets, visit, signedIn(account))
    return deviceId ? [{ deviceId, account, limits: loginsOfBrowser(deviceId, account) }] : []
  })
  return { ordinary: [loginsFrom(visit), ...loginsTo(visit, email, accounts)], browser }
}

async function countBrowser({ db }: Deps, { deviceId, limits }: BrowserWay): Promise<boolean> {
  if (!(await isWithin(db, limits))) return false
  if (await countBrowserFailure(db, deviceId)) return true
  await forgiveUse(db, limits)
  return false
}

async function uncountBrowser({ db }: Deps, { deviceId, limits }: BrowserWay): Promise<void> {
  await forgiveUse(db, limits)
  await uncountBrowserFailure(db, deviceId)
}

/**
 * Rejects a login before its form is read. `beginPasswordTry` does the counting.
 * @throws 429 when no comparison is allowed
 */
export async function limitsOfLoginCall(deps: Deps, visit: Visit, body: unknown): Promise<Limit[]> {
  const named = v.safeParse(v.object({ username: loginSchema.entries.username }), body)
  if (!named.success || !isStorable(named.output)) return [loginsFrom(visit)]
  const { username: email } = named.output
  const accounts = await findAccountsOf(deps.db, email)
  const { ordinary, browser } = waysOf(deps, visit, { email, accounts, candidates: accounts })
  const wait = await shortestWait(deps, browser, ordinary)
  if (wait > 0) throw locked(wait)
  return []
}

const locked = (seconds: number): Refusal => tooMany(seconds, [loginMessages.locked])

/**
 * Seconds until one of the ways is open; 0 when one is open. A browser that is no longer known has only the ordinary
 * way.
 */
async function shortestWait({ db }: Deps, browser: BrowserWay | null, ordinary: Limit[]): Promise<number> {
  const wait = (await waitFor(db, ordinary)) ?? 0
  if (wait === 0 || !browser || (await hasFailedTooOften(db, browser.deviceId))) return wait
  return Math.min(wait, (await waitFor(db, browser.limits)) ?? 0)
}
