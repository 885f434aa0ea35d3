import type { FindSession } from '#kit/server/session.ts'
import { compileOnce } from '#kit/server/compile-once.ts'

/** The session that has this token, and its customer in the same question: every call begins with it. */
export const findVisitor: FindSession = async (db, tokenHash) => {
  const [found] = await read(db, { tokenHash })
  if (!found) return undefined
  const { email_verified_at: verifiedAt, user, blocked_at: blockedAt, password_epoch: epoch, ...session } = found
  const signedIn =
    user && !blockedAt ? { id: user, emailVerified: verifiedAt !== null, passwordEpoch: epoch ?? 0 } : null
  return { ...session, user: signedIn }
}

const read = compileOnce((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('sessions')
    .leftJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.expires_at',
      'sessions.last_seen_at',
      'users.id as user',
      'users.email_verified_at',
      'users.blocked_at',
      'users.password_epoch',
    ])
    .where('sessions.token_hash', '=', tokenHash),
)
