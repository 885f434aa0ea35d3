import { type VoucherEvent, voucherMessages } from '../vouchers.contract.ts'

type Voucher<Product> = {
  id: string
  order_id: string | null
  expires_at: Date
  is_void: boolean
  product: Product | undefined
}

export function resolveUsableVoucher<Product extends { new_customer_only: boolean }>(
  voucher: Voucher<Product> | undefined,
  event: VoucherEvent,
  now: Temporal.Instant,
): { id: string; product: Product } | { refusal: string } {
  if (!voucher) return { refusal: voucherMessages.unknown }
  const { id, order_id, expires_at, is_void, product } = voucher
  if (order_id) return { refusal: voucherMessages.used }
  if (is_void) return { refusal: voucherMessages.unknown }
  if (expires_at.getTime() <= now.epochMilliseconds) return { refusal: voucherMessages.expired }
  if (!product || (event === 'RENEWAL' && product.new_customer_only)) return { refusal: voucherMessages.unknown }
  return { id, product }
}
