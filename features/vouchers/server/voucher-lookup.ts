import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { voucherCodeLength } from '../vouchers.contract.ts'
import type { VoucherBatch } from './voucher-batches.store.ts'
import { findVoucher } from './vouchers.store.ts'

export type VoucherState = 'unused' | 'held' | 'redeemed' | 'expired' | 'void'

export type LookedUpVoucher = {
  state: VoucherState
  batchId: string | null
  productId: string
  expiresAt: Date
  redeemedAt: Date | null
  orderId: string | null
}

export function normaliseVoucherCode(text: string): string | null {
  const compactCode = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return compactCode.length === voucherCodeLength && /^[\dA-Z]+$/.test(compactCode) ? compactCode : null
}

export async function lookUpVoucher(
  { db, secrets, clock }: { db: Db; secrets: Secrets; clock: Clock },
  code: string,
): Promise<LookedUpVoucher | null> {
  const voucher = await findVoucher(db, secrets, code)
  if (!voucher) return null
  const { redeemed_at, order_id, is_void, expires_at } = voucher
  const isExpired = expires_at.getTime() <= clock.now().epochMilliseconds
  return {
    state: redeemed_at ? 'redeemed' : order_id ? 'held' : is_void ? 'void' : isExpired ? 'expired' : 'unused',
    batchId: voucher.batch_id,
    productId: voucher.product_id,
    expiresAt: expires_at,
    redeemedAt: redeemed_at,
    orderId: order_id,
  }
}

export function getVoidRejectionReason(state: VoucherBatch['state'] | VoucherState, orderCode: string | null): string {
  if (state === 'making') return 'This batch is still being created, and none of its codes is valid yet.'
  if (state === 'broken_off') return 'This batch failed, and none of its codes was ever valid.'
  if (state === 'redeemed') return `This voucher was used for order ${orderCode ?? ''}.`
  if (state === 'held') return `Order ${orderCode ?? ''} is using this voucher.`
  return 'This batch or voucher is already void.'
}
