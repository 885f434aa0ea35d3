import { notFound, HttpError, conflict, formError } from '#kit/server/http-error.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { OrderProgress } from '#features/orders/server/orders.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { isPlanOnSale } from '#features/plans/server/plans.ts'
import { listVisibleProducts } from '#features/plans/server/plans.store.ts'
import { renewByStaff } from '#features/renewal/server/renew.ts'
import { findServiceSchedule } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { findListedService } from '#features/services/server/services.store.ts'
import { requireVerifiedCaller } from '#desk/features/caller-verification/server/caller-verification.ts'
import { type Reason, formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import type { RenewalPaymentSource } from '../renewals.contract.ts'

/**
 * Returns a customer's phone number with its plan and the renewal options.
 * @throws 404 if there is no such number
 */
export async function findRenewalOffer({ db, clock }: OrderDeps, user: User, serviceId: string) {
  const service = await findListedService(db, user.id, { uuid: serviceId })
  const schedule = service && (await findServiceSchedule(db, service.id))
  if (!service || !schedule) throw notFound()
  return {
    service,
    schedule,
    isOver: Temporal.Instant.compare(schedule.expiresAt, clock.now()) <= 0,
    queued: await findQueuedPlan(db, service.id),
    card: await findSavedCard(db, user.id),
    plans: (await listVisibleProducts(db)).filter((row) => isPlanOnSale(row) && !row.new_customer_only),
  }
}

type RenewalInput = {
  serviceId: string
  pay: RenewalPaymentSource
  product: string
  code: string
  starts: 'now' | 'at_end'
  ends: string
  total: string
  reason: Reason
  note: string
  /** The submission's idempotency key. A second submission with the same key does not create a second order. */
  key: string | null
}

/**
 * Renews a number as the portal would, for a caller whom this staff member has verified.
 * @throws 403 if the caller is not verified, 400 with the portal’s messages, 409 if the price has changed
 */
export async function renewService(
  deps: OrderDeps,
  staff: SignedInStaff,
  user: User,
  input: RenewalInput,
): Promise<OrderProgress> {
  await requireVerifiedCaller(deps, staff, user.id)
  const { serviceId, pay, product, code, starts, ends, total, key } = input
  if (!key) throw formError(orderMessages.changed)
  const isPaidByCard = pay === 'saved_card'
  const renewalInput = {
    uuid: serviceId,
    schedule: '',
    payment_method: isPaidByCard ? ('1' as const) : ('2' as const),
    product: isPaidByCard ? product : '',
    code: isPaidByCard ? '' : code,
    starts,
    expiry_date: ends,
    use_saved_card: isPaidByCard,
    ...(isPaidByCard && { expected_total: total }),
  }
  const buyer = { userId: user.id, actor: toStaffActor(staff, formatStoredReason(input)), key }
  return renewByStaff(deps, buyer, renewalInput).catch((failure: unknown) => {
    throw priceChangedError(failure, total) ?? failure
  })
}

/**
 * Replaces the error about a changed price with one whose message is a complete sentence. The portal's page composes
 * that sentence itself, but the desk's page does not.
 */
function priceChangedError(failure: unknown, shown: string): HttpError | null {
  if (!(failure instanceof HttpError) || failure.status !== 409) return null
  const { total } = failure.body as { total?: string }
  return total === undefined ? null : conflict(orderMessages.newPrice(total, shown))
}
