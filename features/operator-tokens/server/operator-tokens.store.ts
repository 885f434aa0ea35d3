import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    operator_tokens: OperatorTokenTable
  }
}

export const tokenScopes = ['read', 'act'] as const
export type TokenScope = (typeof tokenScopes)[number]

type OperatorTokenTable = {
  id: string
  name: string
  token_hash: string
  scope: TokenScope
  made_at: Date
  made_by: string
  expires_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}
export type OperatorToken = Omit<Selectable<OperatorTokenTable>, 'token_hash'>

const listedColumns = ['id', 'name', 'scope', 'made_at', 'made_by', 'expires_at', 'last_used_at', 'revoked_at'] as const

export const insertToken = (
  trx: Trx,
  token: Pick<OperatorTokenTable, 'name' | 'token_hash' | 'scope' | 'made_by' | 'made_at' | 'expires_at'>,
): Promise<OperatorToken> =>
  trx
    .insertInto('operator_tokens')
    .values({ ...token, id: randomUUID(), last_used_at: null, revoked_at: null })
    .returning(listedColumns)
    .executeTakeFirstOrThrow()

export const findValidToken = (db: Db, tokenHash: string, now: Temporal.Instant): Promise<OperatorToken | undefined> =>
  db
    .selectFrom('operator_tokens')
    .select(listedColumns)
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', toDate(now))
    .executeTakeFirst()

export async function recordTokenUse(db: Db, id: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('operator_tokens')
    .set({ last_used_at: toDate(now) })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('last_used_at', 'is', null), row('last_used_at', '<', toDate(now.subtract({ minutes: 1 })))]),
    )
    .execute()
}

export async function revokeToken(trx: Trx, name: string, now: Temporal.Instant): Promise<string | null> {
  const revokedToken = await trx
    .updateTable('operator_tokens')
    .set({ revoked_at: toDate(now) })
    // Let the database lowercase both names, as the index does, because JavaScript lowercases some letters differently.
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revokedToken?.id ?? null
}

export const listTokens = (db: Db, limit: number): Promise<OperatorToken[]> =>
  db.selectFrom('operator_tokens').select(listedColumns).orderBy('made_at', 'desc').orderBy('id').limit(limit).execute()
