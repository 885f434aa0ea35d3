import { badRequest, HttpError } from '#kit/server/http-error.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { lookUpVoucher, normaliseVoucherCode } from '#features/vouchers/server/voucher-lookup.ts'
import { insertAccessEntry } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { stockSearchMessages, type StockItem } from '../stock.contract.ts'
import { findSimPackState } from './sim-pack.view.ts'
import type { DeskStockDeps } from './stock.deps.ts'

/** Finds one voucher or SIM pack. The access log keeps only what kind it is and a hash of the search text, never the text itself. */
export async function findVoucherOrSim(deps: DeskStockDeps, staff: SignedInStaff, text: string): Promise<StockItem> {
  const typed = text.replaceAll(/[\s-]/g, '').toUpperCase()
  const of = detectItemType(typed)
  if (!of) throw badRequest({ text: [stockSearchMessages.what] })
  const found = of === 'sim' ? await findSimItem(deps, typed) : await findVoucherItem(deps, typed)
  await insertAccessEntry(deps.db, {
    staffId: staff.id,
    act: 'searched',
    subject: deps.secrets.hash('desk-search', typed.toLowerCase()),
    detail: `${of === 'sim' ? 'SIM' : 'voucher'}: ${found ? 1 : 0}`,
  })
  if (!found) throw new HttpError(404, { text: [stockSearchMessages.none] })
  const { orderId, ...rest } = found
  return { of, ...rest, order: await presentItemOrder(deps, staff, orderId) }
}

function detectItemType(typed: string): StockItem['of'] | null {
  if (/^89\d{17,18}$/.test(typed)) return 'sim'
  return normaliseVoucherCode(typed) ? 'voucher' : null
}

type FoundItem = Omit<StockItem, 'of' | 'order'> & { orderId: string | null }

async function findVoucherItem(deps: DeskStockDeps, code: string): Promise<FoundItem | null> {
  const voucher = await lookUpVoucher(deps, code)
  if (!voucher) return null
  const { state, batchId, productId, expiresAt, redeemedAt, orderId } = voucher
  return {
    state,
    plan: (await findProduct(deps.db, productId))?.title ?? productId,
    expires: expiresAt.toISOString(),
    at: redeemedAt?.toISOString() ?? null,
    from: batchId ? { id: batchId, path: `/stock/batches/${batchId}/` } : null,
    orderId,
  }
}

async function findSimItem({ db }: DeskStockDeps, iccid: string): Promise<FoundItem | null> {
  const pack = await findSimPackState(db, iccid)
  if (!pack) return null
  const { order_id: orderId, activated_at: activatedAt, load_id: loadId, load_state: load } = pack
  const isForSale = loadId === null || load === 'loaded'
  return {
    state: activatedAt ? 'redeemed' : orderId ? 'held' : isForSale ? 'unused' : 'not_for_sale',
    plan: null,
    expires: null,
    at: activatedAt?.toISOString() ?? null,
    from: loadId ? { id: loadId, path: `/stock/loads/${loadId}/` } : null,
    orderId,
  }
}

/** Returns the order for a voucher or SIM. Staff whose only role is admin see just the end of the order code, without a link. */
async function presentItemOrder(
  { db }: DeskStockDeps,
  { roles }: SignedInStaff,
  id: string | null,
): Promise<StockItem['order']> {
  const order = id ? await findOrder(db, id) : undefined
  if (!order) return null
  if (roles.some((role) => role !== 'admin')) return { code: order.order_code, path: `/orders/${order.order_code}/` }
  return { code: `…${order.order_code.slice(-4)}`, path: null }
}
