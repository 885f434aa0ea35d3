import { fromDate } from '#kit/server/clock.ts'
import { maskEmail, maskNumber } from '#kit/server/masks.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { Activation } from '../activation.contract.ts'

const visibleHours = 24
/** Minutes until the response masks the customer's details, by the application's clock rather than real time. */
const unmaskedMinutes = 10

type OrderDates = Pick<Order, 'created_at' | 'completed_at'>

export const getVisibleUntil = ({ completed_at: at }: Pick<OrderDates, 'completed_at'>): Temporal.Instant | null =>
  at && fromDate(at).add({ hours: visibleHours })

export function isStillVisible(order: Pick<OrderDates, 'completed_at'> | undefined, now: Temporal.Instant): boolean {
  const until = order && getVisibleUntil(order)
  return !until || Temporal.Instant.compare(now, until) < 0
}

/**
 * Masks the customer's details ten minutes after the order was placed or completed, because the next person at a shared
 * computer still has the same session. A signed-in customer always sees their own order's details.
 */
export function maskAfterDelay(
  activation: Activation,
  order: (OrderDates & Pick<Order, 'state' | 'user_id'>) | undefined,
  { visit: { user }, now }: { visit: Pick<RequestContext, 'user'>; now: Temporal.Instant },
): Activation {
  if (!order || order.state === 'refused' || (user && user.id === order.user_id)) return activation
  const unmaskedUntil = fromDate(order.completed_at ?? order.created_at).add({ minutes: unmaskedMinutes })
  return Temporal.Instant.compare(now, unmaskedUntil) < 0 ? activation : maskDetails(activation)
}

const maskDetails = (activation: Activation): Activation => ({
  ...activation,
  full_name: '',
  email: maskEmail(activation.email),
  phone_number: maskNumber(activation.phone_number),
  porting_request: activation.porting_request && {
    ...activation.porting_request,
    msisdn: maskNumber(activation.porting_request.msisdn),
    prepaid_sim_number: '',
    account_number: '',
  },
})
