import { formatPrice, gstOf, centsToDecimal } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { DeliveredOrderView } from '../orders.contract.ts'
import type { DeliveredOrder } from './order-type.ts'
import { listOrderOperations } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { findOrder, paysByCard } from './orders.store.ts'
import { findLatestAttempt } from './payments.store.ts'
import { findPurchasedPeriod } from './purchased-period.ts'

export async function presentDeliveredOrder(deps: OrderDeps, order: DeliveredOrder): Promise<DeliveredOrderView> {
  const { startsAt, expiresAt } = await findPurchasedPeriod(deps.db, deps, order)
  // Read the number from the service, because a number transfer may have changed it since the order was placed.
  const service = await findService(deps.db, order.service_id)
  return {
    order_code: order.order_code,
    kind: order.kind,
    uuid: order.service_id,
    phone_number: formatNational(service?.msisdn ?? order.msisdn),
    product: presentPurchasedProduct(order.product),
    addon_ids: order.kind === 'addon' ? await listAddOnIds(deps, order) : [],
    starts_on: startsAt.toString(),
    expiry_date: expiresAt.toString(),
    total_price: centsToDecimal(order.amount_cents),
    tax: centsToDecimal(gstOf(order.amount_cents, deps.market.taxPart)),
    card: paysByCard(order) ? await findOrderCard(deps, order) : null,
    by_voucher: !paysByCard(order),
    instead_of: await findReplacedPlan(deps, order),
  }
}

const presentPurchasedProduct = ({ title, length, data_gb, voice_mins, txt_sms }: Product) => ({
  title,
  length,
  data_gb,
  voice_mins,
  txt_sms,
})

/** The network lists an add-on's balance by the operation that added it, or only by its SKU. */
async function listAddOnIds({ db }: OrderDeps, { id, product }: DeliveredOrder): Promise<string[]> {
  const operations = await listOrderOperations(db, id)
  const operationIds = operations.filter(({ kind }) => kind === 'add_addon').map(({ external_id }) => external_id)
  return product.sku === null ? operationIds : [...operationIds, product.sku]
}

/**
 * Describes the queued plan that this order replaced. The text does not depend on what became of that plan, because the plan left the queue
 * when this order was delivered.
 */
async function findReplacedPlan(
  { db }: OrderDeps,
  { instead_of_order_id: id }: DeliveredOrder,
): Promise<string | null> {
  const replacedOrder = id ? await findOrder(db, id) : undefined
  if (!replacedOrder) return null
  const { title } = replacedOrder.product
  return paysByCard(replacedOrder)
    ? `Your ${title} of ${formatPrice(replacedOrder.amount_cents)} is being cancelled and refunded in full. We’ll email you when it’s done.`
    : `Your ${title} is being cancelled. We’ll email you to say whether its voucher code can be used again.`
}

async function findOrderCard({ db }: OrderDeps, { id }: DeliveredOrder): Promise<DeliveredOrderView['card']> {
  const card = (await findLatestAttempt(db, id))?.card
  if (!card?.lastFour) return null
  return { card_type: card.type === 'other' ? null : card.type, last_four: card.lastFour }
}
