import { cardName } from '#kit/contract/card-types.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { findAutoRenewals } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { findOrder, type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import { latestAttempt } from '#features/orders/server/payments.store.ts'
import { leftOf } from '#features/refunds/server/refunds.ts'
import type { OwnService } from '#features/services/server/own-service.store.ts'
import { findQueuedPlan } from '#features/services/server/queued-plans.store.ts'
import { findVoucherById } from '#features/vouchers/server/vouchers.store.ts'
import { type CancelTerms, nextPlanMessages } from '../next-plan.contract.ts'
import type { NextPlanDeps } from './next-plan.deps.ts'
import { whyNotCancelled } from './why-not.ts'
import { afterWords, backWords, type WhatGoesBack } from './words.ts'

export async function termsOf(deps: NextPlanDeps, service: OwnService): Promise<CancelTerms> {
  const { db } = deps
  const waiting = await findQueuedPlan(db, service.id)
  const order = waiting && (await findOrder(db, waiting.orderId))
  if (!waiting || !order) return { lines: [nextPlanMessages.none], button: null }
  const why = await whyNotCancelled(db, deps, service.id, { order, waiting })
  if (why) return { lines: [why], button: null }
  const at = { now: deps.clock.now(), zone: deps.market.zone }
  const back = await whatGoesBack(db, order)
  const running = { expiresAt: fromDate(service.expires_at), isRenewing: await isRenewing(db, service.id) }
  return {
    lines: [backWords(back, at), afterWords(running, at)],
    button: back.by === 'card' && back.leftCents > 0 ? 'Cancel and refund' : 'Cancel next plan',
  }
}

export async function whatGoesBack(db: Db | Trx, order: Order): Promise<WhatGoesBack> {
  if (paysByCard(order)) {
    const { cents } = await leftOf(db, order)
    const card = (await latestAttempt(db, order.id))?.card
    const name = cardName(card?.type ?? null, card?.lastFour ?? null)
    return { by: 'card', card: name, paidCents: order.amount_cents, leftCents: cents }
  }
  const voucher = order.voucher_id ? await findVoucherById(db, order.voucher_id) : undefined
  if (!voucher) throw new Error(`order ${order.order_code} was paid with no voucher`)
  return { by: 'voucher', expiresAt: fromDate(voucher.expires_at), isVoid: voucher.is_void }
}

export const isRenewing = async (db: Db | Trx, serviceId: string): Promise<boolean> =>
  (await findAutoRenewals(db, [serviceId])).get(serviceId)?.enabled ?? false
