import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { unauthorised } from '#kit/server/http-error.ts'
import { toCustomerActor, type SignedInContext } from '#kit/server/request-context.ts'
import { marketingConsent } from '#features/auth/marketing.contract.ts'
import { findUser, setMarketingConsent } from '#features/auth/server/users.store.ts'
import type { MarketingView } from '../privacy.contract.ts'
import type { PrivacyDeps } from './privacy.deps.ts'

export async function readOwnMarketing(
  { db, brandName }: PrivacyDeps,
  { user: { id } }: SignedInContext,
): Promise<MarketingView> {
  const user = await findUser(db, id)
  if (!user) throw unauthorised()
  return { agreed: user.marketing_consent, words: marketingConsent(brandName) }
}

/** Saves the customer's marketing preference. Idempotent: saving an unchanged preference is not audited. */
export async function saveOwnMarketing(
  deps: PrivacyDeps,
  visit: SignedInContext,
  agreed: boolean,
): Promise<MarketingView> {
  const actor = toCustomerActor(visit)
  await transact(deps.db, async (trx) => {
    if (await setMarketingConsent(trx, actor.userId, agreed, deps.clock.now()))
      await audit(trx, deps.clock, { event: 'marketing_consent_changed', ...actor, details: { agreed } })
  })
  return readOwnMarketing(deps, visit)
}
