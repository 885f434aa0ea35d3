import { fromDate } from '#kit/server/clock.ts'
import { maskedEmail, maskedNumber } from '#kit/server/masks.ts'
import type { Visit } from '#kit/server/visit.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import type { Activation } from '../activation.contract.ts'

const shownHours = 24
/** Minutes on the product clock after which the response masks the customer's details. */
const fullMinutes = 10

type Dates = Pick<Order, 'created_at' | 'completed_at'>

export const shownUntil = ({ completed_at: at }: Pick<Dates, 'completed_at'>): Temporal.Instant | null =>
  at && fromDate(at).add({ hours: shownHours })

export function isShown(order: Pick<Dates, 'completed_at'> | undefined, now: Temporal.Instant): boolean {
  const until = order && shownUntil(order)
  return !until || Temporal.Instant.compare(now, until) < 0
}

/**
 * Masks the customer's details ten minutes after the order was placed, or ten minutes after its success. The next
 * person at a shared computer has the same session. Only the order's own customer, when signed in, sees the details for
 * longer.
 */
export function maskOld(
  activation: Activation,
  order: (Dates & Pick<Order, 'state' | 'user_id'>) | undefined,
  { visit: { user }, now }: { visit: Pick<Visit, 'user'>; now: Temporal.Instant },
): Activation {
  if (!order || order.state === 'refused' || (user && user.id === order.user_id)) return activation
  const fullUntil = fromDate(order.completed_at ?? order.created_at).add({ minutes: fullMinutes })
  return Temporal.Instant.compare(now, fullUntil) < 0 ? activation : masked(activation)
}

const masked = (activation: Activation): Activation => ({
  ...activation,
  full_name: '',
  email: maskedEmail(activation.email),
  phone_number: maskedNumber(activation.phone_number),
  porting_request: activation.porting_request && {
    ...activation.porting_request,
    msisdn: maskedNumber(activation.porting_request.msisdn),
    prepaid_sim_number: '',
    account_number: '',
  },
})
