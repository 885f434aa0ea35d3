import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import { voucherCodeLength, type VoucherEvent } from '../vouchers.contract.ts'
import { usableVoucher } from './usable-voucher.ts'
import { findVoucher, findVoucherById } from './vouchers.store.ts'

export type VoucherDeps = { db: Db; clock: Clock; secrets: Secrets }

export async function checkVoucher(
  deps: VoucherDeps,
  code: string,
  event: VoucherEvent = 'ACTIVATION',
): Promise<{ id: string; product: ProductRow } | { refusal: string }> {
  const typed = code.trim().toUpperCase()
  const row = typed.length === voucherCodeLength ? await findVoucher(deps.db, deps.secrets, typed) : undefined
  const voucher = row && { ...row, product: await findProduct(deps.db, row.product_id) }
  return usableVoucher(voucher, event, deps.clock.now())
}

export async function refusalOfVoucher(
  { db, clock }: Pick<VoucherDeps, 'db' | 'clock'>,
  id: string,
  product: ProductRow | undefined,
): Promise<string | null> {
  const row = await findVoucherById(db, id)
  const voucher = usableVoucher(row && { ...row, product }, 'ACTIVATION', clock.now())
  return 'refusal' in voucher ? voucher.refusal : null
}

/** Codes are long and random. The limits still slow down guessing, with room for many people behind one address. */
export const voucherLimits = (visit: Visit): Limit[] => [
  { key: `voucher:address:${visit.clientIp}`, times: 1_000, seconds: 900 },
  { key: `voucher:session:${visit.session.token}`, times: 30, seconds: 900 },
]
