import { realNow, toDate } from './clock.ts'
import type { Trx } from './db.ts'
import { createKnownDeviceCookie } from './known-device.ts'
import { endExcessSessions } from './own-sessions.ts'
import { hashToken, type Secrets } from './secrets.ts'
import {
  endSession,
  generateSession,
  saveSession,
  activeSessionCondition,
  sessionDays,
  type SignedInUser,
  type SignInDetails,
} from './session.ts'
import { parseUserAgent } from './user-agent.ts'
import type { BrowserIdentity, RequestContext } from './request-context.ts'

/**
 * Signs in a user who has just entered their password, and returns the browser's new identity. The session gets a token that has never been
 * sent before, so a token planted in a visitor's browser is useless. The session's contents, such as an activation in progress, are kept.
 * If several sign-ins are concurrent, one takes over the session and the others get new ones. The browser becomes known to this account. If
 * the user has too many sessions, the least recently used ones end.
 */
export async function signIn(
  trx: Trx,
  { secrets }: { secrets: Secrets },
  visit: RequestContext,
  account: Pick<SignedInUser, 'id' | 'passwordEpoch'>,
): Promise<BrowserIdentity> {
  const userId = account.id
  const session = { ...generateSession(secrets), userId }
  const now = realNow()
  const note: SignInDetails = { authenticated_at: toDate(now), ...parseUserAgent(visit.userAgent) }
  const rotatedSession = await trx
    .updateTable('sessions')
    .set({
      token_hash: hashToken(session.token),
      user_id: userId,
      last_seen_at: toDate(now),
      expires_at: toDate(now.add({ hours: sessionDays * 24 })),
      ...note,
    })
    // The token alone identifies the session, because its row may have been created after this request read the session.
    .where('token_hash', '=', hashToken(visit.session.token))
    // A session that has been signed out in the meantime stays ended.
    .where(activeSessionCondition(now))
    // Another customer's session is ended rather than taken over with its contents.
    .where((where) => where.or([where('user_id', 'is', null), where('user_id', '=', userId)]))
    .returning('id')
    .executeTakeFirst()
  if (!rotatedSession) await endSession(trx, { token: visit.session.token })
  const id = rotatedSession?.id ?? (await saveSession(trx, session, note))
  await endExcessSessions(trx, userId, id)
  return { session: { ...session, id }, device: createKnownDeviceCookie(secrets, visit, account) }
}

export async function signOut(
  trx: Trx,
  { secrets }: { secrets: Secrets },
  visit: RequestContext,
): Promise<BrowserIdentity> {
  await endSession(trx, visit.session)
  return { session: generateSession(secrets), device: visit.device }
}
