import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { type LookedUpVoucher, lookUpVoucher, normaliseVoucherCode } from '#features/vouchers/server/voucher-lookup.ts'

export type FoundVoucher = LookedUpVoucher & { end: string; plan: string; orderCode: string | null }

export async function findVoucher(
  deps: { db: Db; clock: Clock; secrets: Secrets },
  text: string,
): Promise<FoundVoucher | null> {
  const code = normaliseVoucherCode(text)
  const voucher = code && (await lookUpVoucher(deps, code))
  if (!voucher) return null
  const [product, order] = [
    await findProduct(deps.db, voucher.productId),
    voucher.orderId ? await findOrder(deps.db, voucher.orderId) : undefined,
  ]
  return {
    ...voucher,
    end: code.slice(-4),
    plan: product?.title ?? voucher.productId,
    orderCode: order?.order_code ?? null,
  }
}
