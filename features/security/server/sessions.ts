import type { EndpointOutput } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { findKnownDeviceId, createKnownDeviceCookie } from '#kit/server/known-device.ts'
import { endOwnSession, listOwnSessions, type OwnSession } from '#kit/server/own-sessions.ts'
import { conflict, unauthorised } from '#kit/server/http-error.ts'
import { endSessions } from '#kit/server/session.ts'
import {
  type CustomerActor,
  toCustomerActor,
  type BrowserIdentity,
  type SignedInContext,
} from '#kit/server/request-context.ts'
import { forgetKnownBrowsers, lockUser } from '#features/auth/server/users.store.ts'
import { type listSessions, securityMessages } from '../security.contract.ts'
import type { SecurityDeps } from './security.deps.ts'

type SessionList = EndpointOutput<typeof listSessions>

export async function listCustomerSessions(
  { db, clock }: SecurityDeps,
  { user, session }: SignedInContext,
): Promise<SessionList> {
  const rows = await listOwnSessions(db, user.id)
  const [currentRows, otherRows] = [
    rows.filter(({ id }) => id === session.id),
    rows.filter(({ id }) => id !== session.id),
  ]
  return {
    sessions: [...currentRows, ...otherRows].map(({ id, browser, system, last_seen_at }) => ({
      id,
      browser,
      system,
      // Sessions are stored with the real time, but the page shows times on the application's clock.
      last_seen: fromDate(last_seen_at).add({ milliseconds: clock.offset() }).toString(),
      is_current: id === session.id,
    })),
  }
}

export async function findOwnSession(
  { db }: SecurityDeps,
  { user }: SignedInContext,
  requestedSessionId: string,
): Promise<OwnSession | null> {
  return (await listOwnSessions(db, user.id)).find(({ id }) => id === requestedSessionId) ?? null
}

/**
 * Ends another session of the same customer. Idempotent if that session has already ended.
 * @throws 409 when the session is the current one, because a customer ends that session by logging out
 */
export async function endCustomerSession(deps: SecurityDeps, visit: SignedInContext, id: string): Promise<SessionList> {
  if (id === visit.session.id) throw conflict(securityMessages.own)
  await withLockedAccount(deps, visit, async (trx, actor) => {
    if (await endOwnSession(trx, actor.userId, id)) await audit(trx, deps.clock, { event: 'session_ended', ...actor })
  })
  return listCustomerSessions(deps, visit)
}

export async function endOtherCustomerSessions(deps: SecurityDeps, visit: SignedInContext): Promise<BrowserIdentity> {
  const { session, user } = visit
  const passwordEpoch = await withLockedAccount(deps, visit, async (trx, actor) => {
    await endSessions(trx, actor.userId, actor.sessionId)
    await audit(trx, deps.clock, { event: 'other_sessions_ended', ...actor })
    return forgetKnownBrowsers(trx, actor.userId)
  })
  // Someone who uses a stolen session cookie has never logged in, so don't mark their browser as known.
  const isKnownBrowser = findKnownDeviceId(deps.secrets, visit, user) !== null
  const device = isKnownBrowser
    ? createKnownDeviceCookie(deps.secrets, visit, { id: user.id, passwordEpoch })
    : visit.device
  return { session, device }
}

/**
 * Runs an account's session changes one at a time, so that if two devices end each other's sessions at once, one
 * survives.
 */
async function withLockedAccount<T>(
  { db }: SecurityDeps,
  visit: SignedInContext,
  work: (trx: Trx, actor: CustomerActor) => Promise<T>,
): Promise<T> {
  const actor = toCustomerActor(visit)
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId)
    const activeSessions = await listOwnSessions(trx, actor.userId)
    if (!activeSessions.some(({ id }) => id === actor.sessionId)) throw unauthorised()
    return work(trx, actor)
  })
}
