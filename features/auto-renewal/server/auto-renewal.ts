import type { ErrorEntry } from '#kit/contract/errors.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { invalid } from '#kit/server/refusal.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { autoRenewalMessages } from '../auto-renewal.contract.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import { setAutoRenewal } from './auto-renewal.store.ts'

export type AutoRenewalDeps = ServicesDeps & Pick<AuthDeps, 'accountParts'> & { market: Market }

/**
 * Renews the plan by itself from now on.
 * @throws 400 with a way out when the plan has expired, or no card could be charged
 */
export async function switchOn(deps: AutoRenewalDeps, service: OwnService): Promise<void> {
  if (Temporal.Instant.compare(fromDate(service.expires_at), deps.clock.now()) <= 0) {
    throw refusal(autoRenewalMessages.expired, {
      url: `/services/renew/${service.short_id}/`,
      text: autoRenewalMessages.renew,
    })
  }
  const card = await deps.accountParts.card(service.user_id)
  if (!card || card.is_expired) {
    throw refusal(card ? autoRenewalMessages.cardExpired : autoRenewalMessages.noCard, {
      url: '/account/payment-method/',
      text: autoRenewalMessages.addCard,
    })
  }
  await setAndAudit(deps, service, true)
}

/** Lets the plan end on its day. */
export const switchOff = (deps: AutoRenewalDeps, service: OwnService): Promise<void> =>
  setAndAudit(deps, service, false)

async function setAndAudit(deps: AutoRenewalDeps, service: OwnService, enabled: boolean): Promise<void> {
  await transact(deps.db, async (trx) => {
    const changed = await setAutoRenewal(trx, deps, service.schedule_id, enabled)
    if (changed)
      await audit(trx, deps.clock, {
        event: enabled ? 'auto_renewal_enabled' : 'auto_renewal_disabled',
        userId: service.user_id,
        details: { service: service.id },
      })
  })
}

const refusal = (message: string, action: { url: string; text: string }) => {
  const entry: ErrorEntry = { message, actions: [action] }
  return invalid({ __all__: [entry] })
}
