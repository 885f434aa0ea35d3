import { formatNational } from '#kit/contract/phone.ts'
import type { ErrorEntry } from '#kit/contract/errors.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { type Clock, fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { badRequest, notFound } from '#kit/server/http-error.ts'
import { requireUnblocked } from '#features/auth/server/auth.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { findServiceSchedule, lockService } from '#features/services/server/plan-life.store.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import { type AutoRenewalOffer, autoRenewalMessages } from '../auto-renewal.contract.ts'
import { findAutoRenewal, findAutoRenewals, saveAutoRenewalSetting } from './auto-renewal.store.ts'
import { resetAutoRenewals } from './steps.store.ts'
import { type DueStep, createNoticeStep } from './auto-renewal.times.ts'
import { presentOffer } from './offer.present.ts'
import { findPlanStatus } from './plan-statuses.ts'
import { notifyAutoRenewalEnabled } from './auto-renewal-enabled.mail.ts'

export type AutoRenewalDeps = OrderDeps & ServicesDeps & Pick<AuthDeps, 'accountParts'>
type TimingDeps = { clock: Clock; market: Market }

/** @throws 400 with a link to the page that fixes the problem, when the plan has expired or no card can be charged */
export async function enableServiceAutoRenewal(deps: AutoRenewalDeps, service: ServiceWithPlanRow): Promise<void> {
  if (Temporal.Instant.compare(fromDate(service.expires_at), deps.clock.now()) <= 0) {
    throw rejectionWithAction(autoRenewalMessages.expired, {
      url: `/services/renew/${service.short_id}/`,
      text: autoRenewalMessages.renew,
    })
  }
  const card = await deps.accountParts.card(service.user_id)
  if (!card || card.is_expired) {
    await reportUnconfirmedCard(deps.db, service.user_id)
    throw rejectionWithAction(card ? autoRenewalMessages.cardExpired : autoRenewalMessages.noCard, {
      url: '/account/payment-method/',
      text: autoRenewalMessages.addCard,
    })
  }
  await setAutoRenewalAndAudit(deps, service, true)
}

/** @throws 404 when the service has been released since it was found */
export async function readServiceAutoRenewalOffer(
  deps: AutoRenewalDeps,
  service: ServiceWithPlanRow,
): Promise<AutoRenewalOffer> {
  const planStatus = await findPlanStatus(deps.db, deps, service, deps.clock.now())
  if (!planStatus) throw notFound()
  return presentOffer(planStatus, deps, { number: formatNational(service.msisdn), shortId: service.short_id })
}

export const disableServiceAutoRenewal = (deps: AutoRenewalDeps, service: ServiceWithPlanRow): Promise<void> =>
  setAutoRenewalAndAudit(deps, service, false)

/** Locks the service and switches its auto-renewal off. Returns false if it was already off. */
export async function stopAutoRenewal(
  trx: Trx,
  deps: TimingDeps,
  service: { id: string; userId: string },
  actor: Actor,
): Promise<boolean> {
  const hasChanged = await setAutoRenewal(trx, deps, service.id, false)
  if (hasChanged)
    await audit(trx, deps.clock, {
      event: 'auto_renewal_disabled',
      userId: service.userId,
      actor,
      details: { service: service.id },
    })
  return hasChanged
}

async function setAutoRenewalAndAudit(
  deps: AutoRenewalDeps,
  service: ServiceWithPlanRow,
  enabled: boolean,
): Promise<void> {
  await transact(deps.db, async (trx) => {
    const hasChanged = await setAutoRenewal(trx, deps, service.id, enabled)
    /*
     * Blocking an account also locks its services. A concurrent block has therefore either finished already, so this
     * check finds it, or will follow and switch auto-renewal off again.
     */
    if (hasChanged && enabled) await requireUnblocked(trx, deps, [service.user_id])
    if (hasChanged)
      await audit(trx, deps.clock, {
        event: enabled ? 'auto_renewal_enabled' : 'auto_renewal_disabled',
        userId: service.user_id,
        details: { service: service.id },
      })
    const planStatus = hasChanged && enabled ? await findPlanStatus(trx, deps, service, deps.clock.now()) : null
    if (planStatus) await notifyAutoRenewalEnabled(trx, deps, service, planStatus)
  })
}

/**
 * Locks the service and switches its auto-renewal on or off. Returns false if nothing changed. Does not affect a charge
 * in progress or a next plan that is already paid for; the setting then applies to the plan after it.
 */
async function setAutoRenewal(trx: Trx, deps: TimingDeps, serviceId: string, enabled: boolean): Promise<boolean> {
  await lockService(trx, serviceId)
  const currentAutoRenewal = await findAutoRenewal(trx, serviceId)
  const plan = await findServiceSchedule(trx, serviceId)
  if (!plan || (currentAutoRenewal?.enabled ?? false) === enabled) return false
  await saveAutoRenewalSetting(trx, serviceId, enabled, enabled ? createFirstStep(deps, plan.expiresAt) : null)
  return true
}

export async function restartAutoRenewals(
  trx: Trx,
  deps: TimingDeps,
  plans: readonly { serviceId: string; expiresAt: Temporal.Instant }[],
): Promise<void> {
  const autoRenewals = await findAutoRenewals(
    trx,
    plans.map(({ serviceId }) => serviceId),
  )
  const nextSteps = plans.flatMap(({ serviceId, expiresAt }): [string, DueStep | null][] => {
    const autoRenewal = autoRenewals.get(serviceId)
    return autoRenewal ? [[serviceId, autoRenewal.enabled ? createFirstStep(deps, expiresAt) : null]] : []
  })
  if (nextSteps.length > 0) await resetAutoRenewals(trx, new Map(nextSteps))
}

const createFirstStep = ({ clock, market }: TimingDeps, expiresAt: Temporal.Instant) =>
  createNoticeStep(clock.now(), expiresAt, market.zone)

const rejectionWithAction = (message: string, action: { url: string; text: string }) => {
  const entry: ErrorEntry = { message, actions: [action] }
  return badRequest({ __all__: [entry] })
}
