import { realNow, toDate } from './clock.ts'
import type { Trx } from './db.ts'
import { hashToken, type Secrets } from './secrets.ts'
import { endSession, freshSession, keepSession, sessionDays } from './session.ts'
import type { Visit } from './visit.ts'

/**
 * Signs a user in: the session goes on under a token that nobody has seen before, so that one planted in a visitor's
 * browser opens nothing. What the session holds, an activation under way for one, stays with it.
 */
export async function signIn(trx: Trx, secrets: Secrets, visit: Visit, userId: string): Promise<void> {
  const session = { ...freshSession(secrets), userId }
  const now = realNow()
  const rotated = visit.session.id
    ? await trx
        .updateTable('sessions')
        .set({ token_hash: hashToken(session.token), user_id: userId, last_seen_at: toDate(now), expires_at: toDate(now.add({ hours: sessionDays * 24 })) })
        .where('id', '=', visit.session.id)
        .where('token_hash', '=', hashToken(visit.session.token))
        // Another customer's session is ended, not taken over with all that it holds.
        .where((where) => where.or([where('user_id', 'is', null), where('user_id', '=', userId)]))
        .returning('id')
        .executeTakeFirst()
    : undefined
  if (visit.session.id && !rotated) await endSession(trx, visit.session.id)
  visit.session = { ...session, id: rotated?.id ?? (await keepSession(trx, session)) }
}

/** Signs out: the session ends, and the visitor goes on with a fresh one. */
export async function signOut(trx: Trx, secrets: Secrets, visit: Visit): Promise<void> {
  if (visit.session.id) await endSession(trx, visit.session.id)
  visit.session = freshSession(secrets)
  visit.user = null
}
