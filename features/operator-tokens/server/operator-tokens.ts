import { type Actor, nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { ipHash } from '#kit/server/ip-hash.ts'
import { isWithin } from '#kit/server/limits.ts'
import { hashToken, newToken, type Secrets } from '#kit/server/secrets.ts'
import {
  findGoodToken,
  insertToken,
  markUsed,
  type OperatorToken,
  revokeToken,
  type Scope,
} from './operator-tokens.store.ts'

type TokenDeps = { db: Db; clock: Clock; secrets: Secrets }

/** Maximum attempts per address without a valid token, in an hour. */
const triesAnHour = 20

/**
 * Creates a token for a person, and revokes their previous token, because each person has one. Only this response
 * contains the token itself. Its expiry is in real time, like a session's.
 */
export async function makeToken(
  { db, clock }: Pick<TokenDeps, 'db' | 'clock'>,
  { name, scope, expiresAt, actor }: { name: string; scope: Scope; expiresAt: Temporal.Instant; actor: Actor },
): Promise<{ token: string; row: OperatorToken }> {
  const token = newToken()
  const row = await transact(db, async (trx) => {
    const now = realNow()
    await endTokenOf(trx, clock, name, actor)
    const made = await insertToken(trx, {
      name,
      scope,
      token_hash: hashToken(token),
      made_by: nameOf(actor) ?? 'customer',
      made_at: toDate(now),
      expires_at: toDate(expiresAt),
    })
    await audit(trx, clock, { event: 'operator_token_made', actor, details: { token: made.id, scope } })
    return made
  })
  return { token, row }
}

export const endToken = (
  { db, clock }: Pick<TokenDeps, 'db' | 'clock'>,
  { name, actor }: { name: string; actor: Actor },
): Promise<boolean> => transact(db, (trx) => endTokenOf(trx, clock, name, actor))

async function endTokenOf(trx: Trx, clock: Clock, name: string, actor: Actor): Promise<boolean> {
  const token = await revokeToken(trx, name, realNow())
  if (token) await audit(trx, clock, { event: 'operator_token_revoked', actor, details: { token } })
  return token !== null
}

export type Entry = { name: string; scope: Scope } | 'unknown' | 'too-many'

/** An invalid token counts towards the limit of its address. */
export async function enterWithToken(deps: TokenDeps, token: string, address: string): Promise<Entry> {
  const found = await findGoodToken(deps.db, hashToken(token), realNow())
  if (found) {
    await markUsed(deps.db, found.id, realNow())
    return { name: found.name, scope: found.scope }
  }
  const from = ipHash(deps.secrets, address)
  const limit = { key: `operator-token:${from}`, times: triesAnHour, seconds: 3_600 }
  if (!(await isWithin(deps.db, [limit]))) return 'too-many'
  await audit(deps.db, deps.clock, { event: 'operator_token_refused', details: { address: from } })
  return 'unknown'
}
