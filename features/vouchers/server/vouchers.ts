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

/** A voucher that can be used, or the sentence that says why not. */
export async function checkVoucher(deps: VoucherDeps, code: string): Promise<{ id: string; product: ProductRow } | { refusal: string }> {
  const typed = code.trim().toUpperCase()
  const row = typed.length === voucherCodeLength ? await findVoucher(deps.db, deps.secrets, typed) : undefined
  if (!row) return { refusal: voucherMessages.unknown }
  if (row.order_id) return { refusal: voucherMessages.used }
  if (row.expires_at <= toDate(deps.clock.now())) return { refusal: voucherMessages.expired }
  const product = await findProduct(deps.db, row.product_id)
  return product ? { id: row.id, product } : { refusal: voucherMessages.unknown }
}

/** Codes are long and random; this keeps the guessing slow all the same. */
export const voucherLimits = (visit: Visit): Limit[] => [
  { key: `voucher:session:${visit.session.token}`, times: 30, seconds: 900 },
  { key: `voucher:address:${visit.address}`, times: 100, seconds: 900 },
]
