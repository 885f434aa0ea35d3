import { formatPrice, gstOf, toWire } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { Bought } from '../orders.contract.ts'
import type { DeliveredOrder } from './kind.ts'
import type { OrderDeps } from './orders.deps.ts'
import { findOrder, paysByCard } from './orders.store.ts'
import { latestAttempt } from './payments.store.ts'
import { periodOf } from './purchased-period.ts'

export async function presentBought(deps: OrderDeps, order: DeliveredOrder): Promise<Bought> {
  const { startsAt, expiresAt } = await periodOf(deps.db, deps, order)
  // A completed number transfer may have changed the number since.
  const service = await findService(deps.db, order.service_id)
  return {
    order_code: order.order_code,
    kind: order.kind,
    uuid: order.service_id,
    phone_number: formatNational(service?.msisdn ?? order.msisdn),
    product: { title: order.product.title, length: order.product.length, data_gb: order.product.data_gb },
    starts_on: startsAt.toString(),
    expiry_date: expiresAt.toString(),
    total_price: toWire(order.amount_cents),
    tax: toWire(gstOf(order.amount_cents, deps.market.taxPart)),
    card: paysByCard(order) ? await cardOf(deps, order) : null,
    by_voucher: !paysByCard(order),
    instead_of: await insteadOf(deps, order),
  }
}

/** The replaced plan left the queue when the new plan was delivered, so its later states do not change the text. */
async function insteadOf({ db }: OrderDeps, { instead_of_order_id: id }: DeliveredOrder): Promise<string | null> {
  const old = id ? await findOrder(db, id) : undefined
  if (!old) return null
  const { title } = old.product
  return paysByCard(old)
    ? `Your ${title} of ${formatPrice(old.amount_cents)} is being cancelled and refunded in full. We’ll email you when it’s done.`
    : `Your ${title} is being cancelled. We’ll email you to say whether its voucher code can be used again.`
}

async function cardOf({ db }: OrderDeps, { id }: DeliveredOrder): Promise<Bought['card']> {
  const card = (await latestAttempt(db, id))?.card
  if (!card?.lastFour) return null
  return { card_type: card.type === 'other' ? null : card.type, last_four: card.lastFour }
}
