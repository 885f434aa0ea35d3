import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { unauthorised } from '#kit/server/refusal.ts'
import { actorOf, type SignedInVisit } from '#kit/server/visit.ts'
import { marketingConsent } from '#features/auth/marketing.contract.ts'
import { findUser, setMarketingConsent } from '#features/auth/server/users.store.ts'
import type { MarketingView } from '../privacy.contract.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

export async function ownMarketing(
  { db, brandName }: PrivacyDeps,
  { user: { id } }: SignedInVisit,
): Promise<MarketingView> {
  const user = await findUser(db, id)
  if (!user) throw unauthorised()
  return { agreed: user.marketing_consent, words: marketingConsent(brandName) }
}

/** Idempotent: an unchanged choice is not audited. */
export async function chooseOwnMarketing(
  deps: PrivacyDeps,
  visit: SignedInVisit,
  agreed: boolean,
): Promise<MarketingView> {
  const actor = actorOf(visit)
  await transact(deps.db, async (trx) => {
    if (await setMarketingConsent(trx, actor.userId, agreed, deps.clock.now()))
      await audit(trx, deps.clock, { event: 'marketing_consent_changed', ...actor, details: { agreed } })
  })
  return ownMarketing(deps, visit)
}
