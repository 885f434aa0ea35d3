import { notFound, Refusal, conflict, invalidForm } from '#kit/server/refusal.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { orderMessages } from '#features/orders/orders.contract.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { OrderProgress } from '#features/orders/server/orders.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { isPlanOnOffer } from '#features/plans/server/plans.ts'
import { listVisibleProducts } from '#features/plans/server/plans.store.ts'
import { renewFor } from '#features/renewal/server/renew.ts'
import { findScheduleOf } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { findListedService } from '#features/services/server/services.store.ts'
import { requireVerifiedCaller } from '#desk/features/callers/server/callers.ts'
import { type Reason, reasonLine } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import type { RenewalPay } from '../renewals.contract.ts'

/**
 * A number of this customer with its plan and the renewal options.
 * @throws 404
 */
export async function offerOf({ db, clock }: OrderDeps, user: User, serviceId: string) {
  const service = await findListedService(db, user.id, { uuid: serviceId })
  const schedule = service && (await findScheduleOf(db, service.id))
  if (!service || !schedule) throw notFound()
  return {
    service,
    schedule,
    isOver: Temporal.Instant.compare(schedule.expiresAt, clock.now()) <= 0,
    queued: await findQueuedPlan(db, service.id),
    card: await findSavedCard(db, user.id),
    plans: (await listVisibleProducts(db)).filter((row) => isPlanOnOffer(row) && !row.new_customer_only),
  }
}

type Wish = {
  serviceId: string
  pay: RenewalPay
  product: string
  code: string
  starts: 'now' | 'at_end'
  ends: string
  total: string
  reason: Reason
  note: string
  /** Idempotency key of the press: the same key makes no second order. */
  key: string | null
}

/**
 * Renews a number as the portal would, for a customer whom this staff member has verified.
 * @throws 403 without the verification, 400 with the portal’s messages, 409 when the price has changed
 */
export async function renewForThem(
  deps: OrderDeps,
  staff: SignedInStaff,
  user: User,
  wish: Wish,
): Promise<OrderProgress> {
  await requireVerifiedCaller(deps, staff, user.id)
  const { serviceId, pay, product, code, starts, ends, total, key } = wish
  if (!key) throw invalidForm(orderMessages.changed)
  const byCard = pay === 'saved_card'
  const answers = {
    uuid: serviceId,
    schedule: '',
    payment_method: byCard ? ('1' as const) : ('2' as const),
    product: byCard ? product : '',
    code: byCard ? '' : code,
    starts,
    expiry_date: ends,
    use_saved_card: byCard,
    ...(byCard && { expected_total: total }),
  }
  const buyer = { userId: user.id, actor: actorOf(staff, reasonLine(wish)), key }
  return renewFor(deps, buyer, answers).catch((failure: unknown) => {
    throw otherPriceIn(failure, total) ?? failure
  })
}

/** The portal's page words a changed price itself. At the desk, the response contains the sentence. */
function otherPriceIn(failure: unknown, shown: string): Refusal | null {
  if (!(failure instanceof Refusal) || failure.status !== 409) return null
  const { total } = failure.body as { total?: string }
  return total === undefined ? null : conflict(orderMessages.newPrice(total, shown))
}
