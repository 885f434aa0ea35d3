import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { sideBySide } from '#kit/server/side-by-side.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findLiveRenewal } from '#features/orders/server/purchases.store.ts'
import { reportUnconfirmedCard } from '#features/orders/server/unconfirmed-cards.store.ts'
import { cardFor } from './card.ts'
import { charge, chargeFailed, giveUp, orderFailed } from './charge.ts'
import { sendNotice, sendWithdrawn } from './auto-renewal.mail.ts'
import { type Offer, offerFor } from './offer.ts'
import { clearCharge, findEndedCharges, lockIfFree, saveFailure, scheduleStep, takeDue } from './auto-renewal.store.ts'
import { firstCharge, putOffUntil } from './auto-renewal.times.ts'
import { stepKey, lockAutoRenewal, type LockedAutoRenewal } from './turn.ts'

/**
 * Records how charges ended, and then does what is due, each in a transaction of its own and several beside each other: one in trouble
 * holds up no other. False when one was, which is for the log and for the next round.
 */
export async function runAutoRenewal(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  const areRecorded = await recordEndedCharges(deps, now)
  return (await doDueSteps(deps, now)) && areRecorded
}

type Work = (trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal) => Promise<boolean>

async function recordEndedCharges(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  const inTrouble = new Set<string>()
  for (let hasWorked = true; hasWorked;) {
    hasWorked = false
    const ended = await findEndedCharges(deps.db)
    await sideBySide(deps.atOnce, async () => {
      const serviceId = ended.shift()
      if (serviceId === undefined) return false
      // Another process may be at it, or have been first.
      const take = async (trx: Trx) => ((await lockIfFree(trx, serviceId)) ? serviceId : null)
      if ((await workOn(deps, now, { take, inTrouble, work: recordChargeOutcome })).isDone) hasWorked = true
      return true
    })
  }
  return inTrouble.size === 0
}

async function doDueSteps(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  const inTrouble = new Set<string>()
  // What could not be done, or did not want doing, is left for the next round.
  const left = new Set<string>()
  await sideBySide(deps.atOnce, async () => {
    const { serviceId, isDone } = await workOn(deps, now, {
      take: (trx) => takeDue(trx, now, [...left]),
      inTrouble,
      work: doStep,
    })
    if (serviceId !== null && !isDone) left.add(serviceId)
    return serviceId !== null
  })
  return inTrouble.size === 0
}

type Taking = { take(trx: Trx): Promise<string | null>; inTrouble: Set<string>; work: Work }
type Worked = { serviceId: string | null; isDone: boolean }

/** Works on the service that is taken; `isDone`: there was something to do, and it is done. */
async function workOn(deps: OrderDeps, now: Temporal.Instant, { take, inTrouble, work }: Taking): Promise<Worked> {
  const worked: Worked = { serviceId: null, isDone: false }
  try {
    worked.isDone = await transact(deps.db, async (trx) => {
      worked.serviceId = await take(trx)
      const locked = worked.serviceId === null ? null : await lockAutoRenewal(trx, worked.serviceId, now)
      return locked !== null && (await work(trx, deps, locked))
    })
  } catch (error) {
    if (worked.serviceId === null) throw error
    inTrouble.add(worked.serviceId)
    deps.log.error({ err: error, service: worked.serviceId }, 'an auto-renewal step failed')
  }
  return worked
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
