import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findLiveRenewal } from '#features/orders/server/purchases.store.ts'
import {
  type AutoSchedule,
  clearCharge,
  findDueSchedules,
  findEndedCharges,
  lockSchedule,
  scheduleStep,
} from './auto-renewal.store.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import { cardFor } from './auto-renewal.card.ts'
import { charge, chargeFailed, orderFailed, giveUp } from './auto-renewal.charge.ts'
import { sendNotice, sendWithdrawn, type Subject } from './auto-renewal.mail.ts'
import { type Offer, offerFor } from './auto-renewal.offer.ts'
import { firstCharge } from './auto-renewal.times.ts'

type Place = Pick<AutoSchedule, 'id' | 'service_id'>

/**
 * Takes in how charges ended, and then does what is due, each in a transaction of its own: one in trouble holds up no other.
 * False when one was, which is for the log and for the next round.
 */
export async function runAutoRenewal(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  const takenIn = await workOff(
    deps,
    () => findEndedCharges(deps.db),
    (trx, subject) => takeInEnd(trx, deps, subject),
  )
  return (
    (await workOff(
      deps,
      () => findDueSchedules(deps.db, now),
      (trx, subject) => takeStep(trx, deps, subject, now),
    )) && takenIn
  )
}

/** `work` answers whether there was anything left to do: another process may have been first. */
async function workOff(
  deps: OrderDeps,
  find: () => Promise<Place[]>,
  work: (trx: Trx, subject: Subject) => Promise<boolean>,
): Promise<boolean> {
  let isFine = true
  for (let worked = true; worked;) {
    worked = false
    for (const place of await find()) {
      const holdAndWork = async (trx: Trx): Promise<boolean> => {
        // The service before its schedule, as everywhere.
        const service = await lockService(trx, place.service_id)
        const schedule = await lockSchedule(trx, place.id)
        return service !== undefined && schedule !== undefined && (await work(trx, { service, schedule }))
      }
      try {
        if (await transact(deps.db, holdAndWork)) worked = true
      } catch (error) {
        isFine = false
        deps.log.error({ err: error, service: place.service_id }, 'an auto-renewal step failed')
      }
    }
  }
  return isFine
}

/** How long a step waits for a renewal that is under way: it may still come to nothing. Once the plan has ended it can wait longer. */
const waitFor = { minutes: 30 }
const waitAfterEnd = { hours: 24 }

async function takeStep(trx: Trx, deps: OrderDeps, subject: Subject, now: Temporal.Instant): Promise<boolean> {
  const { service, schedule } = subject
  const { id, auto_step: step, auto_due_at: dueAt } = schedule
  if (!step || !dueAt || Temporal.Instant.compare(fromDate(dueAt), now) > 0) return false
  if (await takeInEnd(trx, deps, subject)) return true
  const hasEnded = Temporal.Instant.compare(fromDate(schedule.expires_at), now) <= 0
  const renewal = await findLiveRenewal(trx, id, schedule.order_id)
  if (renewal) {
    // Paid for already, by us or by hand: what comes next is planned when that plan begins.
    await scheduleStep(
      trx,
      id,
      isOver(renewal.state) ? null : { step, dueAt: now.add(hasEnded ? waitAfterEnd : waitFor) },
    )
    return true
  }
  if (service.released_at || !schedule.auto_recharge_enabled) await scheduleStep(trx, id, null)
  else if (hasEnded)
    await chargeFailed(trx, deps, subject, {
      event: `${id}:${dueAt.toISOString()}`,
      failure: 'missed',
      card: null,
      next: null,
    })
  else await noticeOrCharge(trx, deps, subject, step, now)
  return true
}

async function noticeOrCharge(
  trx: Trx,
  deps: OrderDeps,
  subject: Subject,
  step: NonNullable<AutoSchedule['auto_step']>,
  now: Temporal.Instant,
): Promise<void> {
  const offer = await offerFor(trx, subject.schedule)
  if (!offer) {
    await giveUp(trx, deps, subject, 'withdrawn')
    await sendWithdrawn(trx, deps, subject)
  } else if (step === 'notice') await notice(trx, deps, subject, offer, now)
  else await charge(trx, deps, subject, step, offer, now)
}

/** Tells the customer what will be charged; that binds from now on. */
async function notice(trx: Trx, deps: OrderDeps, subject: Subject, offer: Offer, now: Temporal.Instant): Promise<void> {
  const { service, schedule } = subject
  const { zone } = deps.market
  const next = firstCharge(now, fromDate(schedule.expires_at), zone)
  await scheduleStep(trx, schedule.id, next, {
    notified_cents: offer.amountCents,
    notified_product_id: offer.product.unique_id,
  })
  const { card, trouble } = await cardFor(trx, service.user_id, next.dueAt, zone)
  await sendNotice(trx, deps, subject, offer, next.dueAt, card, trouble)
}

/** Takes in how a charge ended; false while it has not. */
async function takeInEnd(trx: Trx, deps: OrderDeps, subject: Subject): Promise<boolean> {
  const {
    id,
    auto_order_id: orderId,
    auto_step: step,
    auto_due_at: dueAt,
    auto_recharge_enabled: enabled,
    expires_at: expiresAt,
  } = subject.schedule
  const order = orderId ? await findOrder(trx, orderId) : undefined
  if (!order || !isOver(order.state)) return false
  await clearCharge(trx, id)
  if (order.state === 'completed') {
    await scheduleStep(trx, id, null)
    return true
  }
  // Switched off while it was under way: then there is no next time either.
  const hasNext = enabled && step && dueAt && expiresAt > dueAt
  await orderFailed(trx, deps, subject, order, hasNext ? fromDate(dueAt) : null)
  return true
}
