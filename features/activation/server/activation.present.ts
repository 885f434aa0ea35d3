import { formatNational } from '#kit/contract/phone.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { isSimActivationAcknowledged, totalOf } from '#features/orders/server/orders.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { isPaymentOpen } from '#features/orders/orders.states.ts'
import { billingMethods } from '#features/porting/porting.contract.ts'
import { listDonors } from '#features/porting/server/porting.store.ts'
import { presentProduct } from '#features/plans/server/plans.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import { findVoucherRefusal } from '#features/vouchers/server/vouchers.ts'
import type { Activation } from '../activation.contract.ts'
import type { ActivationStage, ActivationState } from '../activation.states.ts'
import { isNewCustomer } from './activation-customer.ts'
import { findActivationOrder } from './activation-order.ts'
import type { ActivationRow } from './activation.store.ts'

export function getVisibleState(
  activation: Pick<ActivationRow, 'state'>,
  order: Pick<Order, 'state'> | undefined,
): ActivationState {
  switch (order?.state) {
    case undefined:
    // Nothing was charged for a refused payment, so the visitor can pay again.
    case 'refused':
      return activation.state
    case 'paying':
    case 'payment_unknown':
      return 'PAYMENT'
    case 'held':
      return 'ERROR_CAN_RETRY'
    case 'completed':
      return 'SUCCESSFUL'
    case 'undone':
      return 'PERMANENTLY_FAILED'
    default:
      return 'ACTIVATING'
  }
}

/**
 * Returns how far the activation has progressed. It only counts as started once the network has acknowledged the SIM
 * operation.
 */
async function findStage(db: Db, order: Pick<Order, 'id' | 'state'> | undefined): Promise<ActivationStage> {
  switch (order?.state) {
    case 'activating_sim':
      return (await isSimActivationAcknowledged(db, order)) ? 'ACTIVATING_SIM' : 'NOT_STARTED'
    case 'adding_plan':
      return 'ADDING_PLAN'
    case 'capturing':
      return 'PROCESSING_PAYMENT'
    case 'finishing':
    case 'completed':
      return 'FINISHING'
    default:
      return 'NOT_STARTED'
  }
}

const isLiveOrder = (order: Order | undefined): order is Order => order !== undefined && order.state !== 'refused'

/** Rows that were read together with the activation. The activation may refer to different rows by now. */
type PrefetchedRows = { order?: Order | undefined; product?: ProductRow | undefined }

async function findChosenProduct(
  db: Db,
  { product_id: id }: ActivationRow,
  { product }: PrefetchedRows,
): Promise<ProductRow | undefined> {
  if (!id) return undefined
  return product?.unique_id === id ? product : findProduct(db, id)
}

export async function presentActivation(
  deps: { db: Db; clock: Clock },
  activation: ActivationRow,
  prefetched: PrefetchedRows = {},
): Promise<Activation> {
  const { db } = deps
  const hasLiveOrder = isLiveOrder(prefetched.order) && prefetched.order.id === activation.order_id
  const [order, row, isNew, donors] = await Promise.all([
    findActivationOrder(db, activation, prefetched.order),
    findChosenProduct(db, activation, prefetched),
    hasLiveOrder || isNewCustomer(db, activation),
    activation.setup_porting ? listDonors(db) : [],
  ])
  const liveOrder = isLiveOrder(order) ? order : undefined
  const product = liveOrder?.product ?? (row ? presentProduct(row) : null)
  const next =
    row?.next_product_id && row.next_product_id !== row.unique_id ? await findProduct(db, row.next_product_id) : null
  const usesVoucher = activation.method === 'voucher'
  const { porting, voucher_id: voucherId } = activation
  return {
    state: getVisibleState(activation, order),
    activation_state: await findStage(db, order),
    product,
    next_product: next ? presentProduct(next) : null,
    is_new_customer: liveOrder !== undefined || isNew,
    balance_due: centsToDecimal(product ? totalOf(product, usesVoucher ? 'voucher' : 'card') : 0),
    full_name: activation.full_name ?? '',
    email: activation.email ?? '',
    phone_number: formatNational(activation.msisdn),
    setup_porting: activation.setup_porting,
    porting_request: porting && {
      msisdn: porting.msisdn,
      provider: porting.provider,
      billing_method: billingMethods[porting.billing_method ?? 'prepay'],
      prepaid_sim_number: porting.prepaid_sim_number,
      account_number: porting.account_number,
    },
    porting_providers: donors,
    method: activation.method,
    using_voucher: usesVoucher,
    // An open or completed order has already reserved the voucher for this activation, so do not report the voucher as used.
    voucher_refusal: voucherId && !liveOrder ? await findVoucherRefusal(deps, voucherId, row) : null,
    plan_title: product?.title ?? '',
    order_code: liveOrder?.order_code ?? null,
    uuid: liveOrder?.service_id ?? null,
    retry: liveOrder !== undefined && isPaymentOpen(liveOrder.state),
  }
}
