import type { OutputOf } from '#kit/contract/endpoint.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { knownDevice, rememberedDevice } from '#kit/server/known-device.ts'
import { endOwnSession, listOwnSessions, type OwnSession } from '#kit/server/own-sessions.ts'
import { conflict, unauthorised } from '#kit/server/refusal.ts'
import { endSessions } from '#kit/server/session.ts'
import { type Actor, actorOf, type BrowserIdentity, type SignedInVisit } from '#kit/server/visit.ts'
import { endKnownBrowsers, lockUser } from '#features/auth/server/users.store.ts'
import { type listSessions, securityMessages } from '../security.contract.ts'
import type { SecurityDeps } from './security.deps.ts'

type Sessions = OutputOf<typeof listSessions>

export async function ownSessions({ db, clock }: SecurityDeps, { user, session }: SignedInVisit): Promise<Sessions> {
  const rows = await listOwnSessions(db, user.id)
  const [own, others] = [rows.filter(({ id }) => id === session.id), rows.filter(({ id }) => id !== session.id)]
  return {
    sessions: [...own, ...others].map(({ id, browser, system, last_seen_at }) => ({
      id,
      browser,
      system,
      // Sessions use real time, and the page uses the product's clock.
      last_seen: fromDate(last_seen_at).add({ milliseconds: clock.offset() }).toString(),
      is_current: id === session.id,
    })),
  }
}

export async function findOwnSession(
  { db }: SecurityDeps,
  { user }: SignedInVisit,
  wanted: string,
): Promise<OwnSession | null> {
  return (await listOwnSessions(db, user.id)).find(({ id }) => id === wanted) ?? null
}

/**
 * Idempotent if the session has ended in the meantime.
 * @throws 409 for the requesting session, which Logout ends
 */
export async function endOne(deps: SecurityDeps, visit: SignedInVisit, id: string): Promise<Sessions> {
  if (id === visit.session.id) throw conflict(securityMessages.own)
  await asOwner(deps, visit, async (trx, actor) => {
    if (await endOwnSession(trx, actor.userId, id)) await audit(trx, deps.clock, { event: 'session_ended', ...actor })
  })
  return ownSessions(deps, visit)
}

export async function endOthers(deps: SecurityDeps, visit: SignedInVisit): Promise<BrowserIdentity> {
  const { session, user } = visit
  const passwordEpoch = await asOwner(deps, visit, async (trx, actor) => {
    await endSessions(trx, actor.userId, actor.sessionId)
    await audit(trx, deps.clock, { event: 'other_sessions_ended', ...actor })
    return endKnownBrowsers(trx, actor.userId)
  })
  // A browser with a stolen session, which never logged in itself, must not become a known browser.
  const isKnown = knownDevice(deps.secrets, visit, user) !== null
  const device = isKnown ? rememberedDevice(deps.secrets, visit, { id: user.id, passwordEpoch }) : visit.device
  return { session, device }
}

/**
 * Serialises calls that end sessions of an account. If two devices end each other's sessions at once, one session
 * survives.
 */
async function asOwner<T>(
  { db }: SecurityDeps,
  visit: SignedInVisit,
  work: (trx: Trx, actor: Actor) => Promise<T>,
): Promise<T> {
  const actor = actorOf(visit)
  return transact(db, async (trx) => {
    await lockUser(trx, actor.userId)
    const running = await listOwnSessions(trx, actor.userId)
    if (!running.some(({ id }) => id === actor.sessionId)) throw unauthorised()
    return work(trx, actor)
  })
}
