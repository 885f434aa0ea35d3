import type { Region } from '#kit/contract/phone.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { shortDataLabel } from '#features/plans/web/plan.labels.ts'
import type { PurchaseDetails } from '#features/orders/web/PurchaseSummary.tsx'
import type { Activation } from '../activation.contract.ts'
import { formatNumberToTransfer } from './number-to-transfer.ts'

export function purchaseDetailsOf(activation: Activation, region: Region): PurchaseDetails {
  const { phone_number, setup_porting, plan_title, product, next_product, full_name, email } = activation
  const { balance_due: price, using_voucher, voucher_refusal } = activation
  const rows: [string, string | undefined][] = [
    [setup_porting ? 'SIM pack number' : 'Phone number', phone_number],
    ['Number to transfer', formatNumberToTransfer(activation, region)],
    ['Prepay Plan', product ? `${product.title} · ${product.length} days` : plan_title],
    ['Data', product && product.data_gb > 0 ? shortDataLabel(product) : undefined],
    ['After that', next_product ? planMessages.next(next_product) : undefined],
    ['Name', full_name],
    ['Email', email],
  ]
  return {
    rows: rows.filter((row): row is [string, string] => Boolean(row[1])),
    title: plan_title,
    price,
    note: using_voucher && !voucher_refusal ? 'Paid with your voucher' : undefined,
  }
}
