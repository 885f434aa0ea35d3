import type { ExpressionBuilder } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { hashToken, generateToken } from '#kit/server/secrets.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    email_tokens: {
      token_hash: string
      user_id: string
      purpose: TokenPurpose
      email: string
      subject_id: string | null
      created_at: Date
      expires_at: Date
      used_at: Date | null
    }
  }
}

type TokenPurpose = 'verify' | 'reset' | 'change-email' | 'phone'

type NewToken = {
  purpose: TokenPurpose
  userId: string
  email: string
  /** The subject of the link, in addition to the account. For a password reset, this is the reset request's id. */
  subjectId?: string
  /** When the token was issued, by the application's clock rather than real time. */
  at: Temporal.Instant
  hours: number
}

export async function issueToken(trx: Trx, token: NewToken): Promise<string> {
  const secret = generateToken()
  await trx
    .insertInto('email_tokens')
    .values({
      token_hash: hashToken(secret),
      user_id: token.userId,
      purpose: token.purpose,
      email: token.email,
      subject_id: token.subjectId ?? null,
      created_at: toDate(token.at),
      expires_at: toDate(token.at.add({ hours: token.hours })),
      used_at: null,
    })
    .execute()
  return secret
}

type TokenSubject = { user_id: string; email: string; subject_id: string | null }

/** The token to look up. If `userId` is omitted, the token may belong to any account. */
type PresentedToken = { token: string; purpose: TokenPurpose; userId?: string }

export async function consumeToken(
  trx: Trx,
  presented: PresentedToken,
  now: Temporal.Instant,
): Promise<TokenSubject | undefined> {
  return trx
    .updateTable('email_tokens')
    .set({ used_at: toDate(now) })
    .where(isValidToken(presented, now))
    .returning(['user_id', 'email', 'subject_id'])
    .executeTakeFirst()
}

export async function findToken(
  db: Db,
  presented: PresentedToken,
  now: Temporal.Instant,
): Promise<TokenSubject | undefined> {
  return db
    .selectFrom('email_tokens')
    .select(['user_id', 'email', 'subject_id'])
    .where(isValidToken(presented, now))
    .executeTakeFirst()
}

const isValidToken =
  ({ token, purpose, userId }: PresentedToken, now: Temporal.Instant) =>
  (where: ExpressionBuilder<Tables, 'email_tokens'>) =>
    where.and([
      where('token_hash', '=', hashToken(token)),
      where('purpose', '=', purpose),
      where('used_at', 'is', null),
      where('expires_at', '>', toDate(now)),
      ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
    ])

/**
 * Returns whether the account already has a link for this subject. A repeated job checks this to avoid creating a
 * second link.
 */
export async function isTokenIssued(
  trx: Trx,
  purpose: TokenPurpose,
  userId: string,
  subjectId: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('email_tokens')
    .select('token_hash')
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
  return row !== undefined
}

export async function invalidateTokens(
  trx: Trx,
  userId: string,
  purposes: TokenPurpose[],
  now: Temporal.Instant,
): Promise<void> {
  await trx
    .updateTable('email_tokens')
    .set({ used_at: toDate(now) })
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute()
}

/** Deletes all of an account's email tokens, including their PINs. */
export async function deleteTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('email_tokens').where('user_id', '=', userId).execute()
}
