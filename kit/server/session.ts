import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { realNow, toDate } from './clock.ts'
import type { Db, Tables, Trx } from './db.ts'
import { hashToken, newToken, sameText, type Secrets } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    sessions: {
      id: string
      token_hash: string
      user_id: string | null
      created_at: Date
      /** Of what is kept here alone, at most `seenEveryMinutes` late. */
      last_seen_at: Date
      expires_at: Date
      /** When its customer last entered their password in it. */
      authenticated_at: Date | null
      /** What it was signed in with, each in a word of ours. */
      browser: string | null
      system: string | null
    }
  }
}

/** The signed-in customer as far as every request needs to know. */
export type SignedIn = {
  id: string
  emailVerified: boolean
  /** How often the account's known browsers have been ended. */
  passwordEpoch: number
}

/**
 * What a visitor's cookie proves. A session has a row only once something has to be kept for it,
 * so that a look at a page writes nothing; the token is signed, so that a made-up one is refused.
 */
export type Session = {
  /** Null until `saveSession` has been called for it. */
  readonly id: string | null
  readonly userId: string | null
  readonly token: string
  /** The value of the `csrftoken` cookie that goes with this session. */
  readonly csrfToken: string
  /** True when the visitor's browser does not have the cookie yet. */
  readonly fresh: boolean
  /** True when its cookie is not signed with the present key: it gets one that is. */
  readonly stale?: boolean
  /**
   * What a page that is still open may have: of the session that has ended and that this one follows, so that it is told that
   * it is signed out, or of this one under the key before.
   */
  readonly formerCsrfTokens?: readonly string[]
}

export const sessionDays = 30
/** Without a call for so long, a session is over too. */
const idleDays = 14
/** How exactly it is known when a session was last seen: it is written down this often, not at every call. */
const seenEveryMinutes = 10

/**
 * Reads the session that a cookie names, and notes that it was seen, or makes up a fresh one. A token whose session has ended
 * is never used again. One that has a row is ours, whatever key it was signed with: nobody can guess it.
 */
export async function readSession(
  db: Db,
  secrets: Secrets,
  cookie: string | undefined,
  find: FindSession,
): Promise<{ session: Session; user: SignedIn | null }> {
  const { token, signedBy } = readCookie(secrets, cookie)
  if (!token) return { session: freshSession(secrets), user: null }
  const row = await find(db, hashToken(token))
  const csrfTokens = csrfTokensOf(secrets, token)
  const now = realNow()
  const isOurs = signedBy !== 'nobody'
  if (row ? !isRunning(row, now) : !isOurs)
    return { session: { ...freshSession(secrets), ...(isOurs && { formerCsrfTokens: csrfTokens }) }, user: null }
  if (row && row.last_seen_at <= seenLongAgo(now)) await noteSeen(db, row.id, now)
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
  /** `null` when nobody is signed in, and for a customer who is blocked. */
  user: SignedIn | null
}
/** Finds a session and its customer by the hash of the session's token, in one statement. */
export type FindSession = (db: Db, tokenHash: string) => Promise<FoundSession | undefined>

const idleSince = (now: Temporal.Instant): Date => new Date(now.epochMilliseconds - idleDays * 86_400_000)
const seenLongAgo = (now: Temporal.Instant): Date => new Date(now.epochMilliseconds - seenEveryMinutes * 60_000)

function isRunning(row: { expires_at: Date; last_seen_at: Date }, now: Temporal.Instant): boolean {
  return row.expires_at > toDate(now) && row.last_seen_at > idleSince(now)
}

/** The condition that a session is running, for a query: as `isRunning` has it for a row. */
export const running = (now: Temporal.Instant) => (where: ExpressionBuilder<Tables, 'sessions'>) =>
  where.and([where('expires_at', '>', toDate(now)), where('last_seen_at', '>', idleSince(now))])

/** Of several calls at once one writes, and none waits: who has the row may keep it for long, and the next call notes it as well. */
async function noteSeen(db: Db, id: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: toDate(now) })
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', id)
        .where('last_seen_at', '<=', seenLongAgo(now))
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute()
}

/** A session that was never used before: for new visitors, and for the rotation at login. */
export function freshSession(secrets: Secrets): Session {
  const token = newToken()
  return { id: null, userId: null, token, csrfToken: csrfTokensOf(secrets, token)[0] ?? '', fresh: true }
}

/** What is noted of a session when a password is entered in it. */
export type SignInNote = { authenticated_at: Date; browser: string | null; system: string | null }

/** Gives the session its row if it has none, and answers its id. */
export async function saveSession(db: Db | Trx, session: Session, note: Partial<SignInNote> = {}): Promise<string> {
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

/** Ends the sessions of a user, but for one. */
export async function endSessions(trx: Trx, userId: string, except: string | null): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ expires_at: toDate(realNow()), user_id: null })
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id', '!=', except))
    .execute()
}

/**
 * Ends the session that has this token; with `id` that one too, whatever its token is by now. The row stays until it is
 * swept: an order under way still belongs to it.
 */
export async function endSession(trx: Trx, { token, id = null }: { token: string; id?: string | null }): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ expires_at: toDate(realNow()), user_id: null })
    .where((where) => where.or([where('token_hash', '=', hashToken(token)), ...(id ? [where('id', '=', id)] : [])]))
    .execute()
}

/**
 * Removes sessions that ended long ago. What belongs to one gets no step after its end, so by then an activation has
 * lapsed or has its order, and an order keeps all it needs itself and runs on without its session.
 */
export async function purgeOldSessions(db: Db): Promise<void> {
  const then = realNow().subtract({ hours: sessionDays * 24 })
  await db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<', toDate(then)), where('last_seen_at', '<', idleSince(then))]))
    .execute()
}

/**
 * Removes those of these sessions that nobody is signed in to, unless they are in use at this moment. Their browsers keep
 * their cookies, and get a row again once something has to be kept.
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

/** The hash of a cookie's token, by which the database knows its session; null unless we have signed the cookie. */
export function tokenHashOf(secrets: Secrets, cookie: string | undefined): string | null {
  const { token, signedBy } = readCookie(secrets, cookie)
  return token && signedBy !== 'nobody' ? hashToken(token) : null
}

/** The cookie's value: the token and our signature. */
export const cookieOf = (secrets: Secrets, session: Session): string =>
  `${session.token}.${signatures(secrets, session.token)[0]}`

type Signer = 'present' | 'previous' | 'nobody'

type ReadCookie = { token: string | null; signedBy: Signer }

function readCookie(secrets: Secrets, cookie: string | undefined): ReadCookie {
  const [token, signed] = cookie?.split('.') ?? []
  if (!token || !signed) return { token: null, signedBy: 'nobody' }
  const [present = '', ...before] = signatures(secrets, token)
  if (sameText(signed, present)) return { token, signedBy: 'present' }
  return { token, signedBy: before.some((signature) => sameText(signed, signature)) ? 'previous' : 'nobody' }
}

const signatures = (secrets: Secrets, token: string): string[] =>
  secrets.hashes('session', token).map((hash) => hash.slice(0, 32))
const csrfTokensOf = (secrets: Secrets, token: string): string[] => secrets.hashes('csrf', token)

/** Removes every session of a user, with what the wizard kept for it. */
export async function deleteSessions(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}
