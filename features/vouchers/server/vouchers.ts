import type { Clock } from '#kit/server/clock.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import { voucherCodeLength, voucherMessages } from '../vouchers.contract.ts'
import { findVoucher } from './vouchers.store.ts'

export type VoucherDeps = { db: Db; clock: Clock; secrets: Secrets }

/** What a voucher is to be used for. */
type Use = 'ACTIVATION' | 'RENEWAL'

/** A voucher that can be used, or the sentence that says why not. A plan for new customers renews nothing. */
export async function checkVoucher(
  deps: VoucherDeps,
  code: string,
  use: Use = 'ACTIVATION',
): Promise<{ id: string; product: ProductRow } | { refusal: string }> {
  const typed = code.trim().toUpperCase()
  const row = typed.length === voucherCodeLength ? await findVoucher(deps.db, deps.secrets, typed) : undefined
  if (!row) return { refusal: voucherMessages.unknown }
  if (row.order_id) return { refusal: voucherMessages.used }
  if (row.expires_at <= toDate(deps.clock.now())) return { refusal: voucherMessages.expired }
  const product = await findProduct(deps.db, row.product_id)
  if (!product || (use === 'RENEWAL' && product.new_customer_only)) return { refusal: voucherMessages.unknown }
  return { id: row.id, product }
}

/** Codes are long and random; this keeps the guessing slow all the same, with room for all who share an address. */
export const voucherLimits = (visit: Visit): Limit[] => [
  { key: `voucher:address:${visit.address}`, times: 1_000, seconds: 900 },
  { key: `voucher:session:${visit.session.token}`, times: 30, seconds: 900 },
]
