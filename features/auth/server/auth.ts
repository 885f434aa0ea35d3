import { namesOf } from '#kit/contract/names.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { invalid } from '#kit/server/refusal.ts'
import { verifyMessages } from '../verify.contract.ts'
import { issueToken, takeToken } from './tokens.store.ts'
import { findUser, findUserIdByEmail, insertUser, markVerified } from './users.store.ts'

type Signup = { id: string; user_id: string | null; email: string; full_name: string; password_hash: string | null; marketing_consent: boolean }

/**
 * The account that an order belongs to: the signed-in customer's, the one the address has, or a new one.
 * Nothing of an existing account changes, and nothing tells the visitor which of these it was.
 */
export async function claimAccount(trx: Trx, order: Signup, at: Temporal.Instant): Promise<{ userId: string; isNew: boolean }> {
  if (order.user_id) return { userId: order.user_id, isNew: false }
  const made = await insertUser(
    trx,
    { email: order.email, password_hash: order.password_hash ?? '', ...namesOf(order.full_name), marketing_consent: order.marketing_consent, made_by_order: order.id },
    at,
  )
  if (made) return { userId: made, isNew: true }
  const existing = await findUserIdByEmail(trx, order.email)
  if (!existing) throw new Error('the address has an account and has none')
  return { userId: existing, isNew: false }
}

/** A link's token that proves an address is read by its owner; only its hash is kept. */
export async function issueVerification(trx: Trx, userId: string, at: Temporal.Instant): Promise<string | null> {
  const user = await findUser(trx, userId)
  if (!user || user.email_verified_at) return null
  return issueToken(trx, { purpose: 'verify', userId, email: user.email, at, hours: 7 * 24 })
}

/**
 * Confirms an address by the token of its link.
 * @throws 400 when the token is used up, too old or none of ours
 */
export async function confirmEmail(deps: { db: Db; clock: Clock }, token: string): Promise<void> {
  const now = deps.clock.now()
  const confirmed = await transact(deps.db, async (trx) => {
    const taken = await takeToken(trx, 'verify', token, now)
    return taken !== undefined && (await markVerified(trx, taken.user_id, taken.email, now))
  })
  if (!confirmed) throw invalid({ token: [verifyMessages.invalid] })
}
