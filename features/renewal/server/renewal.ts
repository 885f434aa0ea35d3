import { formatDate } from '#kit/contract/dates.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { formError, notFound } from '#kit/server/http-error.ts'
import { findUsers, type User } from '#features/auth/server/users.store.ts'
import { findSubsequentRenewals } from '#features/orders/server/subsequent-renewals.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type Payment, placeOrders, type Purchase } from '#features/orders/server/orders.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { deleteReleaseDeadlines } from '#features/services/server/deadlines.store.ts'
import { type LockedService, lockServicesWithSchedules } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlans } from '#features/services/server/queued-plans.store.ts'
import { renewalMessages } from '../renewal.contract.ts'

export type RenewalRequest = {
  /** The service and its presumed owner, who is verified once the service is locked. */
  service: { id: string; user_id: string }
  product: Product
  amountCents?: number
  expectedTotal?: string | undefined
  /** `true` if auto-renewal, not the customer, requested the renewal. A worker then sends the payment. */
  autoRenewal: boolean
  /** When the new plan starts: at the current plan's end, or `null` for now. */
  startsAt: Temporal.Instant | null
  /**
   * The ID of the order whose queued plan this renewal replaces. The caller has checked that the customer may replace
   * that plan.
   */
  insteadOf?: string | null
  sessionId: string | null
  key: string | null
  payment: Payment
  voucherId?: string | null
}

type LockedRenewal = RenewalRequest & { locked: LockedService; user: User }

/**
 * Commits the order for a service's next plan, before any external call. Each plan can have only one next plan, so an
 * order is rejected while a plan is queued, unless it replaces the queued plan. Locks the service. A caller that also
 * locks the service's schedule must do so after this call.
 * @throws 404 when the service no longer belongs to the customer, 400 when a renewal exists already or cannot be paid
 * for
 */
export async function placeRenewal(trx: Trx, deps: OrderDeps, renewal: RenewalRequest): Promise<Order> {
  const [order] = await placeRenewals(trx, deps, [renewal])
  return order!
}

/**
 * Commits orders for the next plans of several services, and returns them in the same sequence as `renewals`.
 * @throws like `placeRenewal`, for any of the renewals
 */
export async function placeRenewals(trx: Trx, deps: OrderDeps, renewals: readonly RenewalRequest[]): Promise<Order[]> {
  const ids = renewals.map(({ service }) => service.id)
  const services = await lockServicesWithSchedules(trx, ids)
  const users = await findUsers(
    trx,
    renewals.map(({ service }) => service.user_id),
  )
  const lockedRenewals = renewals.map((renewal): LockedRenewal => {
    const [locked, user] = [services.get(renewal.service.id), users.get(renewal.service.user_id)]
    if (!locked || !user || locked.service.user_id !== user.id) throw notFound()
    return { ...renewal, locked, user }
  })
  await rejectSecondQueuedPlan(trx, deps, lockedRenewals)
  await deleteReleaseDeadlines(trx, ids)
  return placeOrders(
    trx,
    deps,
    lockedRenewals.map((lockedRenewal) => ({ sale: buildRenewalSale(lockedRenewal), payment: lockedRenewal.payment })),
  )
}

/**
 * Rejects renewals for services whose next plan has already been bought.
 * @throws 400 when any next plan has been paid for or is being paid for
 */
async function rejectSecondQueuedPlan(
  trx: Trx,
  { market }: OrderDeps,
  renewals: readonly LockedRenewal[],
): Promise<void> {
  const queuedPlans = await findQueuedPlans(
    trx,
    renewals.map(({ service }) => service.id),
  )
  for (const { service, insteadOf = null } of renewals) {
    const plan = queuedPlans.get(service.id)
    if (plan && plan.orderId !== insteadOf)
      throw formError(renewalMessages.queued(plan.title, formatDate(plan.startsAt, market.zone)))
  }
  const followingRenewals = await findSubsequentRenewals(
    trx,
    renewals.map(({ locked: { schedule }, insteadOf = null }) => ({
      scheduleId: schedule.id,
      orderId: schedule.order_id,
      but: insteadOf,
    })),
  )
  if (followingRenewals.size > 0) throw formError(renewalMessages.underWay)
}

const buildRenewalSale = ({ locked: { service, schedule }, user, ...renewal }: LockedRenewal): Purchase['sale'] => ({
  kind: 'recharge',
  session_id: renewal.sessionId,
  user_id: user.id,
  idempotency_key: renewal.key,
  product: renewal.product,
  amountCents: renewal.amountCents,
  expectedTotal: renewal.expectedTotal,
  voucher_id: renewal.voucherId ?? null,
  iccid: service.iccid,
  msisdn: service.msisdn,
  email: user.email,
  full_name: `${user.first_name} ${user.last_name}`.trim(),
  password_hash: null,
  marketing_consent: false,
  porting: null,
  service_id: service.id,
  schedule_id: schedule.id,
  renews_order_id: schedule.order_id,
  starts_at: renewal.startsAt && toDate(renewal.startsAt),
  auto_renewal: renewal.autoRenewal,
  instead_of_order_id: renewal.insteadOf ?? null,
})
