import { gstOf, toWire } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { Bought } from '../orders.contract.ts'
import type { DeliveredOrder } from './kind.ts'
import type { OrderDeps } from './orders.deps.ts'
import { paysByCard } from './orders.store.ts'
import { latestAttempt } from './payments.store.ts'
import { periodOf } from './purchased-period.ts'

export async function presentBought(deps: OrderDeps, order: DeliveredOrder): Promise<Bought> {
  const { startsAt, expiresAt } = await periodOf(deps.db, deps, order)
  // A number transfer may have come through since.
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
  }
}

/** Null when the gateway has not said which card it was. */
async function cardOf({ db }: OrderDeps, { id }: DeliveredOrder): Promise<Bought['card']> {
  const card = (await latestAttempt(db, id))?.card
  if (!card?.lastFour) return null
  return { card_type: card.type === 'other' ? null : card.type, last_four: card.lastFour }
}
