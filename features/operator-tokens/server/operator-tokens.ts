import { type Actor, formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { hashIp } from '#kit/server/ip-hash.ts'
import { tryCountLimitUse } from '#kit/server/limits.ts'
import { hashToken, generateToken, type Secrets } from '#kit/server/secrets.ts'
import {
  findValidToken,
  insertToken,
  recordTokenUse,
  type OperatorToken,
  revokeToken,
  type TokenScope,
} from './operator-tokens.store.ts'

type TokenDeps = { db: Db; clock: Clock; secrets: Secrets }

/** Maximum attempts with an invalid token per hour from one IP address. */
const maxTriesPerHour = 20

/**
 * Creates a token for a person and revokes their previous one, because each person has only one. The token itself is
 * returned only here. It expires in real time, like a session.
 */
export async function createOperatorToken(
  { db, clock }: Pick<TokenDeps, 'db' | 'clock'>,
  { name, scope, expiresAt, actor }: { name: string; scope: TokenScope; expiresAt: Temporal.Instant; actor: Actor },
): Promise<{ token: string; row: OperatorToken }> {
  const token = generateToken()
  const row = await transact(db, async (trx) => {
    const now = realNow()
    await revokeAndAudit(trx, clock, name, actor)
    const insertedToken = await insertToken(trx, {
      name,
      scope,
      token_hash: hashToken(token),
      made_by: formatActor(actor) ?? 'customer',
      made_at: toDate(now),
      expires_at: toDate(expiresAt),
    })
    await audit(trx, clock, { event: 'operator_token_made', actor, details: { token: insertedToken.id, scope } })
    return insertedToken
  })
  return { token, row }
}

export const revokeOperatorToken = (
  { db, clock }: Pick<TokenDeps, 'db' | 'clock'>,
  { name, actor }: { name: string; actor: Actor },
): Promise<boolean> => transact(db, (trx) => revokeAndAudit(trx, clock, name, actor))

async function revokeAndAudit(trx: Trx, clock: Clock, name: string, actor: Actor): Promise<boolean> {
  const token = await revokeToken(trx, name, realNow())
  if (token) await audit(trx, clock, { event: 'operator_token_revoked', actor, details: { token } })
  return token !== null
}

export type AuthenticationResult = { name: string; scope: TokenScope } | 'unknown' | 'too-many'

/** Authenticates a token. An invalid token counts towards the hourly limit of the caller's IP address. */
export async function authenticateToken(
  deps: TokenDeps,
  token: string,
  address: string,
): Promise<AuthenticationResult> {
  const validToken = await findValidToken(deps.db, hashToken(token), realNow())
  if (validToken) {
    await recordTokenUse(deps.db, validToken.id, realNow())
    return { name: validToken.name, scope: validToken.scope }
  }
  const addressHash = hashIp(deps.secrets, address)
  const limit = { key: `operator-token:${addressHash}`, times: maxTriesPerHour, seconds: 3_600 }
  if (!(await tryCountLimitUse(deps.db, [limit]))) return 'too-many'
  await audit(deps.db, deps.clock, { event: 'operator_token_refused', details: { address: addressHash } })
  return 'unknown'
}
