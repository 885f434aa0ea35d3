import type { Market } from '#kit/contract/bootstrap.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { computeMonthlyAverage, monthlyAverageRows, shortDataLabel } from '#features/plans/web/summary.labels.ts'
import type { PurchaseDetails } from '#features/orders/web/PurchaseSummary.tsx'
import type { Activation } from '../activation.contract.ts'
import { formatNumberToTransfer } from './number-to-transfer.ts'

export function buildPurchaseDetails(activation: Activation, market: Market): PurchaseDetails {
  const { phone_number, setup_porting, plan_title, product, next_product, full_name, email } = activation
  const { balance_due: price, using_voucher, voucher_refusal } = activation
  const boughtPlan = product && !using_voucher ? { price, length: product.length } : null
  const averageMonthlyPrice = boughtPlan && computeMonthlyAverage(market, boughtPlan)
  const rows: [string, string | undefined][] = [
    [setup_porting ? 'SIM pack number' : 'Phone number', phone_number],
    ['Number to transfer', formatNumberToTransfer(activation, market.phoneRegion)],
    ['Prepay Plan', product ? `${product.title} · ${product.length} days` : plan_title],
    ['Data', product && product.data_gb > 0 ? shortDataLabel(product) : undefined],
    ...(boughtPlan ? monthlyAverageRows(market, boughtPlan) : []),
    ['After that', next_product ? planMessages.next(next_product) : undefined],
    ['Name', full_name],
    ['Email', email],
  ]
  return {
    rows: rows.filter((row): row is [string, string] => Boolean(row[1])),
    title: plan_title,
    price,
    note: using_voucher && !voucher_refusal ? 'Paid with your voucher' : undefined,
    monthlyAverage: averageMonthlyPrice === null ? undefined : formatPrice(averageMonthlyPrice),
  }
}
