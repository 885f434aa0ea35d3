import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db, Tables, Trx } from './db.ts'
import { hashToken, generateToken, isEqualConstantTime, type Secrets } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    sessions: {
      id: string
      token_hash: string
      user_id: string | null
      created_at: Date
      /** When the session's last request arrived. It may lag behind by up to `seenUpdateMinutes`. */
      last_seen_at: Date
      expires_at: Date
      authenticated_at: Date | null
      browser: string | null
      system: string | null
    }
  }
}

export type SignedInUser = {
  id: string
  emailVerified: boolean
  /** How many times the account's known browsers have been revoked. */
  passwordEpoch: number
}

/**
 * The session that a visitor's cookie refers to. A session gets a row only when something has to be stored for it, so viewing a page writes
 * nothing. The token is signed, so a made-up token is rejected.
 */
export type Session = {
  /** Id of the session's row; `null` until `saveSession` has been called. */
  readonly id: string | null
  readonly userId: string | null
  readonly token: string
  readonly csrfToken: string
  readonly fresh: boolean
  /** True if the cookie is not signed with the current key. The browser then gets a new cookie. */
  readonly stale?: boolean
  /**
   * CSRF tokens that an open page may still have. A token of the previous, ended session lets the page learn that it is signed out. A token
   * that this session had under the previous key remains valid.
   */
  readonly formerCsrfTokens?: readonly string[]
}

export const sessionDays = 30
const maxIdleDays = 14
const lastSeenUpdateMinutes = 10

/**
 * Reads the session that a cookie refers to and records when it was seen, or creates a fresh one. The token of an ended session is never
 * reused. A token that has a row is valid whichever key signed it, because nobody can guess it.
 */
export async function readSession(
  db: Db,
  secrets: Secrets,
  cookie: string | undefined,
  find: FindSession,
): Promise<{ session: Session; user: SignedInUser | null }> {
  const { token, signedBy } = parseCookie(secrets, cookie)
  if (!token) return { session: generateSession(secrets), user: null }
  const row = await find(db, hashToken(token))
  const csrfTokens = getCsrfTokens(secrets, token)
  const now = realNow()
  const isSignedByUs = signedBy !== 'nobody'
  if (row ? !isSessionActive(row, now) : !isSignedByUs)
    return {
      session: { ...generateSession(secrets), ...(isSignedByUs && { formerCsrfTokens: csrfTokens }) },
      user: null,
    }
  if (row && row.last_seen_at <= getLastSeenUpdateCutoff(now)) await updateLastSeen(db, row.id, now)
  const [csrfToken = '', ...formerCsrfTokens] = csrfTokens
  const session = {
    id: row?.id ?? null,
    userId: row?.user_id ?? null,
    token,
    csrfToken,
    fresh: false,
    ...(signedBy !== 'present' && { stale: true }),
    ...(formerCsrfTokens.length > 0 && { formerCsrfTokens }),
  }
  return { session, user: row?.user ?? null }
}

export type FoundSession = {
  id: string
  user_id: string | null
  expires_at: Date
  last_seen_at: Date
  /** The signed-in customer; `null` if nobody is signed in or the customer is blocked. */
  user: SignedInUser | null
}
export type FindSession = (db: Db, tokenHash: string) => Promise<FoundSession | undefined>

const getIdleCutoff = (now: Temporal.Instant): Date => new Date(now.epochMilliseconds - maxIdleDays * 86_400_000)
const getLastSeenUpdateCutoff = (now: Temporal.Instant): Date =>
  new Date(now.epochMilliseconds - lastSeenUpdateMinutes * 60_000)

function isSessionActive(row: { expires_at: Date; last_seen_at: Date }, now: Temporal.Instant): boolean {
  return row.expires_at > toDate(now) && row.last_seen_at > getIdleCutoff(now)
}

export const activeSessionCondition = (now: Temporal.Instant) => (where: ExpressionBuilder<Tables, 'sessions'>) =>
  where.and([where('expires_at', '>', toDate(now)), where('last_seen_at', '>', getIdleCutoff(now))])

/**
 * Records when the session was last seen. If several requests are concurrent, one of them writes and none waits. The row may be locked for
 * a long time, but skipping a write is harmless because the next request records the time again.
 */
async function updateLastSeen(db: Db, id: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: toDate(now) })
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', id)
        .where('last_seen_at', '<=', getLastSeenUpdateCutoff(now))
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute()
}

export function generateSession(secrets: Secrets): Session {
  const token = generateToken()
  return { id: null, userId: null, token, csrfToken: getCsrfTokens(secrets, token)[0] ?? '', fresh: true }
}

export type SignInDetails = { authenticated_at: Date; browser: string | null; system: string | null }

export async function saveSession(db: Db | Trx, session: Session, note: Partial<SignInDetails> = {}): Promise<string> {
  if (session.id) return session.id
  const now = realNow()
  const row = await db
    .insertInto('sessions')
    .values({
      id: randomUUID(),
      token_hash: hashToken(session.token),
      user_id: session.userId,
      created_at: toDate(now),
      last_seen_at: toDate(now),
      expires_at: toDate(now.add({ hours: sessionDays * 24 })),
      ...note,
    })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ last_seen_at: toDate(now) }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function endSessions(trx: Trx, userId: string, except: string | null): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ expires_at: toDate(realNow()), user_id: null })
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id', '!=', except))
    .execute()
}

/**
 * Ends the session with this token, and also the one with `id`, whose token may have changed. The row stays until it is purged, because an
 * order in progress still belongs to it.
 */
export async function endSession(trx: Trx, { token, id = null }: { token: string; id?: string | null }): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ expires_at: toDate(realNow()), user_id: null })
    .where((where) => where.or([where('token_hash', '=', hashToken(token)), ...(id ? [where('id', '=', id)] : [])]))
    .execute()
}

/**
 * Deletes sessions that ended long ago. Nothing continues in an ended session, so by then its activation has either lapsed or become an
 * order. An order has all the data it needs and continues without its session.
 */
export async function purgeOldSessions(db: Db): Promise<void> {
  const cutoff = realNow().subtract({ hours: sessionDays * 24 })
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([where('expires_at', '<', toDate(cutoff)), where('last_seen_at', '<', getIdleCutoff(cutoff))]),
    )
    .execute()
}

/**
 * Deletes those of the given sessions that nobody is signed in to, unless they are in use right now. Their browsers keep their cookies and
 * get a new row once something has to be stored.
 */
export async function deleteAnonymousSessions(db: Db | Trx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .select('id')
        .where('id', 'in', ids)
        .where('user_id', 'is', null)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Returns the hash of a cookie's token, which the database uses to find its session. `null` unless the cookie carries our signature. */
export function getTokenHash(secrets: Secrets, cookie: string | undefined): string | null {
  const { token, signedBy } = parseCookie(secrets, cookie)
  return token && signedBy !== 'nobody' ? hashToken(token) : null
}

export const buildCookieValue = (secrets: Secrets, session: Session): string =>
  `${session.token}.${createSignatures(secrets, session.token)[0]}`

type Signer = 'present' | 'previous' | 'nobody'

type ParsedCookie = { token: string | null; signedBy: Signer }

function parseCookie(secrets: Secrets, cookie: string | undefined): ParsedCookie {
  const [token, signed] = cookie?.split('.') ?? []
  if (!token || !signed) return { token: null, signedBy: 'nobody' }
  const [present = '', ...before] = createSignatures(secrets, token)
  if (isEqualConstantTime(signed, present)) return { token, signedBy: 'present' }
  return { token, signedBy: before.some((signature) => isEqualConstantTime(signed, signature)) ? 'previous' : 'nobody' }
}

const createSignatures = (secrets: Secrets, token: string): string[] =>
  secrets.hashes('session', token).map((hash) => hash.slice(0, 32))
const getCsrfTokens = (secrets: Secrets, token: string): string[] => secrets.hashes('csrf', token)

export async function deleteSessions(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
