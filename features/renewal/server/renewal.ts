import { formatDate } from '#kit/contract/dates.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { invalidForm, notFound } from '#kit/server/refusal.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type Payment, placeOrder } from '#features/orders/server/orders.ts'
import { findLiveRenewal } from '#features/orders/server/purchases.store.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { clearReleaseDeadline } from '#features/services/server/deadlines.store.ts'
import { lockServiceWithSchedule } from '#features/services/server/plan-life.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { renewalMessages } from '../renewal.contract.ts'

type Renewal = {
  /** Whose it is believed to be. */
  service: { id: string; user_id: string }
  product: Product
  /** What a card pays, where that is not the plan's price of now. */
  amountCents?: number
  /** What the customer was shown, where one has pressed. */
  expectedTotal?: string | undefined
  /** Charged by us and not by a press of a button: a worker sends the payment on its way. */
  autoRenewal: boolean
  /** When the plan begins: the present one's end; null for at once. */
  startsAt: Temporal.Instant | null
  /** The order of the plan that waits, which it is to take the place of: its customer may. */
  insteadOf?: string | null
  sessionId: string | null
  key: string | null
  payment: Payment
  voucherId?: string | null
}

/**
 * Commits the order of a service's next plan, before any call leaves: one for each cycle, and none beside a plan that is paid for
 * and waits, unless it is to take the place of that. Locks the service; a caller that locks its schedule as well does so after the
 * service.
 * @throws 404 when the service is no longer theirs, 400 when there is one already or it cannot be paid for
 */
export async function placeRenewal(
  trx: Trx,
  deps: OrderDeps,
  { service: { id, user_id: userId }, ...renewal }: Renewal,
): Promise<Order> {
  const locked = await lockServiceWithSchedule(trx, id)
  const user = await findUser(trx, userId)
  if (!locked || !user || locked.service.user_id !== userId) throw notFound()
  const { service, schedule } = locked
  const queued = await findQueuedPlan(trx, id)
  const insteadOf = renewal.insteadOf ?? null
  if (queued && queued.orderId !== insteadOf)
    throw invalidForm(renewalMessages.queued(queued.title, formatDate(queued.startsAt, deps.market.zone)))
  if (await findLiveRenewal(trx, schedule.id, schedule.order_id, insteadOf)) throw invalidForm(renewalMessages.underWay)
  await clearReleaseDeadline(trx, id)
  return placeOrder(
    trx,
    deps,
    {
      kind: 'recharge',
      session_id: renewal.sessionId,
      user_id: userId,
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
      service_id: id,
      schedule_id: schedule.id,
      renews_order_id: schedule.order_id,
      starts_at: renewal.startsAt && toDate(renewal.startsAt),
      auto_renewal: renewal.autoRenewal,
      instead_of_order_id: insteadOf,
    },
    renewal.payment,
  )
}
