import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Limit } from '#kit/server/limits.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import { voucherCodeLength, type VoucherEvent } from '../vouchers.contract.ts'
import { resolveUsableVoucher } from './usable-voucher.ts'
import { findVoucher, findVoucherById } from './vouchers.store.ts'

export type VoucherDeps = { db: Db; clock: Clock; secrets: Secrets }

export async function checkVoucher(
  deps: VoucherDeps,
  code: string,
  event: VoucherEvent = 'ACTIVATION',
): Promise<{ id: string; product: ProductRow } | { refusal: string }> {
  const normalisedCode = code.trim().toUpperCase()
  const row =
    normalisedCode.length === voucherCodeLength ? await findVoucher(deps.db, deps.secrets, normalisedCode) : undefined
  const voucher = row && { ...row, product: await findProduct(deps.db, row.product_id) }
  return resolveUsableVoucher(voucher, event, deps.clock.now())
}

export async function findVoucherRefusal(
  { db, clock }: Pick<VoucherDeps, 'db' | 'clock'>,
  id: string,
  product: ProductRow | undefined,
): Promise<string | null> {
  const row = await findVoucherById(db, id)
  const voucher = resolveUsableVoucher(row && { ...row, product }, 'ACTIVATION', clock.now())
  return 'refusal' in voucher ? voucher.refusal : null
}

/**
 * Voucher codes are too long to guess. These limits slow down attempts further, yet allow many people behind one IP
 * address.
 */
export const getVoucherLimits = (visit: RequestContext): Limit[] => [
  { key: `voucher:address:${visit.clientIp}`, times: 1_000, seconds: 900 },
  { key: `voucher:session:${visit.session.token}`, times: 30, seconds: 900 },
]
