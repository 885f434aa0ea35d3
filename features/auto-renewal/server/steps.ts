import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findLiveRenewal } from '#features/orders/server/purchases.store.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { cardFor } from './card.ts'
import { charge, chargeFailed, giveUp, orderFailed } from './charge.ts'
import { sendNotice, sendWithdrawn } from './auto-renewal.mail.ts'
import { type Offer, offerFor } from './offer.ts'
import { clearCharge, findDue, findEndedCharges, saveFailure, scheduleStep } from './auto-renewal.store.ts'
import { firstCharge, putOffUntil } from './auto-renewal.times.ts'
import { stepKey, lockAutoRenewal, type LockedAutoRenewal } from './turn.ts'

/**
 * Records how charges ended, and then does what is due, each in a transaction of its own: one in trouble holds up no other.
 * False when one was, which is for the log and for the next round.
 */
export async function runAutoRenewal(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  const areRecorded = await workOff(deps, now, () => findEndedCharges(deps.db), recordChargeOutcome)
  return (await workOff(deps, now, () => findDue(deps.db, now), doStep)) && areRecorded
}

/** `work` answers whether there was anything left to do: another process may have been first. */
async function workOff(
  deps: OrderDeps,
  now: Temporal.Instant,
  find: () => Promise<string[]>,
  work: (trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal) => Promise<boolean>,
): Promise<boolean> {
  let isFine = true
  for (let worked = true; worked;) {
    worked = false
    for (const serviceId of await find()) {
      const lockAndWork = async (trx: Trx): Promise<boolean> => {
        const locked = await lockAutoRenewal(trx, serviceId, now)
        return locked !== null && (await work(trx, deps, locked))
      }
      try {
        if (await transact(deps.db, lockAndWork)) worked = true
      } catch (error) {
        isFine = false
        deps.log.error({ err: error, service: serviceId }, 'an auto-renewal step failed')
      }
    }
  }
  return isFine
}

async function doStep(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal): Promise<boolean> {
  const { service, schedule, autoRenewal, now } = locked
  const { step, attempts, due_at: dueAt } = autoRenewal
  if (!step || !dueAt || Temporal.Instant.compare(fromDate(dueAt), now) > 0) return false
  if (await recordChargeOutcome(trx, deps, locked)) return true
  const hasEnded = Temporal.Instant.compare(schedule.expiresAt, now) <= 0
  const renewal = await findLiveRenewal(trx, schedule.scheduleId, schedule.orderId)
  if (renewal) {
    // Paid for already, by us or by hand: what comes next is planned when that plan begins.
    const later = { step, attempts, dueAt: putOffUntil(now, hasEnded) }
    await scheduleStep(trx, service.id, isOver(renewal.state) ? null : later)
    return true
  }
  if (service.released_at || !autoRenewal.enabled) await scheduleStep(trx, service.id, null)
  else if (hasEnded)
    await chargeFailed(trx, deps, locked, { event: stepKey(locked), failure: 'missed', card: null, next: null })
  else if (await deps.isLeaving(trx, service.user_id))
    // Nobody pays for a plan of which they would have a day; called off, it goes on within the hour.
    await scheduleStep(trx, service.id, { step, attempts, dueAt: now.add({ hours: 1 }) })
  else await noticeOrCharge(trx, deps, locked, step)
  return true
}

async function noticeOrCharge(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  step: 'notice' | 'charge',
): Promise<void> {
  const offer = await offerFor(trx, locked)
  if (!offer) {
    await giveUp(trx, deps, locked, 'withdrawn')
    await saveFailure(trx, locked.service.id, { failure: 'withdrawn', failed_card: null })
    await sendWithdrawn(trx, deps, locked)
  } else if (step === 'notice') await notice(trx, deps, locked, offer)
  else await charge(trx, deps, locked, offer)
}

/** Tells the customer what will be charged; that binds from now on. */
async function notice(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal, offer: Offer): Promise<void> {
  const { service, schedule, now } = locked
  const { zone } = deps.market
  const next = firstCharge(now, schedule.expiresAt, zone)
  await scheduleStep(trx, service.id, next, {
    notified_cents: offer.amountCents,
    notified_product_id: offer.product.unique_id,
  })
  const { card, trouble } = await cardFor(trx, service.user_id, next.dueAt, zone)
  if (trouble) await reportUnconfirmedCard(trx, service.user_id)
  await sendNotice(trx, deps, locked, { offer, chargeAt: next.dueAt, card, trouble })
}

/** Records how a charge ended; false while it has not. */
async function recordChargeOutcome(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal): Promise<boolean> {
  const { service, schedule } = locked
  const { charge_order_id: orderId, enabled, step, due_at: dueAt } = locked.autoRenewal
  const order = orderId ? await findOrder(trx, orderId) : undefined
  if (!order || !isOver(order.state)) return false
  await clearCharge(trx, service.id)
  if (order.state === 'completed') {
    await scheduleStep(trx, service.id, null)
    return true
  }
  // Switched off while it was under way: then there is no next time either.
  const next = enabled && step && dueAt ? fromDate(dueAt) : null
  const isInTime = next !== null && Temporal.Instant.compare(next, schedule.expiresAt) < 0
  await orderFailed(trx, deps, locked, { order, next: isInTime ? next : null })
  return true
}
