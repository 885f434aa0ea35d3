import type { ExpressionBuilder } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { hashToken, newToken } from '#kit/server/secrets.ts'

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

/** What a mail's link is good for. */
type TokenPurpose = 'verify' | 'reset' | 'change-email' | 'phone'

type NewToken = {
  purpose: TokenPurpose
  userId: string
  /** The address that the link is sent to. */
  email: string
  /** What it is about, where it is about more than the account: for a reset, the call that asked for it. */
  subjectId?: string
  /** On the product's clock. */
  at: Temporal.Instant
  hours: number
}

/** Makes the token of a link; only its hash is kept. */
export async function issueToken(trx: Trx, token: NewToken): Promise<string> {
  const secret = newToken()
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

type TakenToken = { user_id: string; email: string; subject_id: string | null }

/** A token as it comes back with its link, what it is to be good for, and for whom: without `userId`, for any account. */
type ShownToken = { token: string; purpose: TokenPurpose; userId?: string }

/** Uses a token up, once and in time; answers what it was for. */
export async function takeToken(trx: Trx, shown: ShownToken, now: Temporal.Instant): Promise<TakenToken | undefined> {
  return trx
    .updateTable('email_tokens')
    .set({ used_at: toDate(now) })
    .where(isGood(shown, now))
    .returning(['user_id', 'email', 'subject_id'])
    .executeTakeFirst()
}

/** What a token is for that could be taken now: to look before it is used up. */
export async function findToken(db: Db, shown: ShownToken, now: Temporal.Instant): Promise<TakenToken | undefined> {
  return db
    .selectFrom('email_tokens')
    .select(['user_id', 'email', 'subject_id'])
    .where(isGood(shown, now))
    .executeTakeFirst()
}

const isGood =
  ({ token, purpose, userId }: ShownToken, now: Temporal.Instant) =>
  (where: ExpressionBuilder<Tables, 'email_tokens'>) =>
    where.and([
      where('token_hash', '=', hashToken(token)),
      where('purpose', '=', purpose),
      where('used_at', 'is', null),
      where('expires_at', '>', toDate(now)),
      ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
    ])

/** True when a link about this has been made for the account: a job that runs twice makes it once. */
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

/** Links of these kinds that are still out lead nowhere from now on. */
export async function voidTokens(
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

/** Every link of an account, with the PINs that belong to them. */
export async function deleteTokens(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('email_tokens').where('user_id', '=', userId).execute()
}
