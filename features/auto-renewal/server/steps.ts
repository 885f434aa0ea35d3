import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { inBatches } from '#kit/server/in-batches.ts'
import { sideBySide } from '#kit/server/side-by-side.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { findLiveRenewal } from '#features/orders/server/purchases.store.ts'
import { charge, chargeAll, chargeFailed, giveUp, orderFailed } from './charge.ts'
import { sendWithdrawn } from './auto-renewal.mail.ts'
import { giveNotices, notify } from './notices.ts'
import { offerFor } from './offer.ts'
import { clearCharge, lockFree, lockIfFree, saveFailure, scheduleStep } from './auto-renewal.store.ts'
import { countUnasked, type EndedCharge, endThroughCharges, findEndedCharges } from './charges.store.ts'
import { takeDue } from './steps.store.ts'
import { putOffUntil } from './auto-renewal.times.ts'
import type { StepDeps } from './renewable.ts'
import { stepKey, lockAutoRenewal, type LockedAutoRenewal, readAutoRenewals } from './turn.ts'

type Work = (trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal) => Promise<boolean>

/** So many charges that have ended are found at once. */
const mostEnded = 100

/**
 * Records how charges ended, several transactions beside each other: one in trouble holds up no other. False when one was, which is for
 * the log and for the next round.
 */
export async function recordEndedCharges(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  const inTrouble = new Set<string>()
  for (let mayBeMore = true; mayBeMore;) {
    let hasWorked = false
    const ended = await findEndedCharges(deps.db, mostEnded)
    // Should that fail, they are done one by one.
    const done = await endThrough(deps, ended).catch(() => new Set<string>())
    if (done.size > 0) hasWorked = true
    const left = ended.filter((each) => !done.has(each.serviceId))
    await sideBySide(deps.atOnce, async () => {
      const serviceId = left.shift()?.serviceId
      if (serviceId === undefined) return false
      // Another process may be at it, or have been first.
      const take = async (trx: Trx) => ((await lockIfFree(trx, serviceId)) ? serviceId : null)
      if ((await workOn(deps, now, { take, inTrouble, work: recordChargeOutcome })).isDone) hasWorked = true
      return true
    })
    mayBeMore = hasWorked && ended.length === mostEnded
  }
  return inTrouble.size === 0
}

/** Of those whose next plans are there nothing is left to be said: all at once. Answers the services. */
async function endThrough({ db }: OrderDeps, ended: readonly EndedCharge[]): Promise<Set<string>> {
  const through = ended.flatMap(({ serviceId, isThrough }) => (isThrough ? [serviceId] : []))
  if (through.length === 0) return new Set()
  // Another process may be at some of them, or have been first.
  return transact(db, async (trx) => new Set(await endThroughCharges(trx, await lockFree(trx, through))))
}

/** So many are done in one transaction. */
const mostTogether = 50
/**
 * So many orders may wait for their first word from the gateway: a charge that is not placed yet is its customer's to make by hand, and
 * none that is waits for as long as an order may take.
 */
const mostUnasked = 500

/** Does the steps whose time has come, in the same way. */
export async function doDueSteps(deps: StepDeps, now: Temporal.Instant): Promise<boolean> {
  let isWell = true
  for (const step of ['notice', 'charge'] as const)
    await inBatches({
      ...deps,
      most: mostTogether,
      async take(trx, which) {
        const due = await takeDue(trx, { now, step }, which)
        const isCounted = step === 'charge' && due.length > 0
        return isCounted && (await countUnasked(trx, mostUnasked)) >= mostUnasked ? [] : due
      },
      idOf: (serviceId) => serviceId,
      work: (trx, serviceIds) => doSteps(trx, deps, serviceIds, now),
      onTrouble(service, error) {
        isWell = false
        if (!deps.isAway(error)) deps.log.error({ err: error, service }, 'an auto-renewal step failed')
      },
    })
  return isWell
}

/** Answers the services that did not want doing. */
async function doSteps(
  trx: Trx,
  deps: StepDeps,
  serviceIds: readonly string[],
  now: Temporal.Instant,
): Promise<string[]> {
  const due = (await readAutoRenewals(trx, serviceIds, now)).filter(isDue)
  const apart = await chargeAll(trx, deps, await giveNotices(trx, deps, due))
  for (const locked of apart) await doStep(trx, deps, locked)
  const done = new Set(due.map(({ service }) => service.id))
  return serviceIds.filter((id) => !done.has(id))
}

const isDue = ({ autoRenewal: { step, due_at: dueAt }, now }: LockedAutoRenewal): boolean =>
  step !== null && dueAt !== null && Temporal.Instant.compare(fromDate(dueAt), now) <= 0

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
    if (!deps.isAway(error)) deps.log.error({ err: error, service: worked.serviceId }, 'an auto-renewal step failed')
  }
  return worked
}

/** Does the step of one that is due. */
async function doStep(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal): Promise<void> {
  const { service, schedule, autoRenewal, now } = locked
  const { step, attempts } = autoRenewal
  if (!step || (await recordChargeOutcome(trx, deps, locked))) return
  const hasEnded = Temporal.Instant.compare(schedule.expiresAt, now) <= 0
  const renewal = await findLiveRenewal(trx, schedule.scheduleId, schedule.orderId)
  if (renewal) {
    // Paid for already, by us or by hand: what comes next is planned when that plan begins.
    const later = { step, attempts, dueAt: putOffUntil(now, hasEnded) }
    await scheduleStep(trx, service.id, isOver(renewal.state) ? null : later)
  } else if (service.released_at || !autoRenewal.enabled) await scheduleStep(trx, service.id, null)
  else if (hasEnded)
    await chargeFailed(trx, deps, locked, { event: stepKey(locked), failure: 'missed', card: null, next: null })
  else if (await deps.isLeaving(trx, service.user_id))
    // Nobody pays for a plan of which they would have a day; called off, it goes on within the hour.
    await scheduleStep(trx, service.id, { step, attempts, dueAt: now.add({ hours: 1 }) })
  else await noticeOrCharge(trx, deps, locked, step)
}

async function noticeOrCharge(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  step: 'notice' | 'charge',
): Promise<void> {
  const offer = await offerFor(trx, locked)
  if (offer) return step === 'notice' ? notify(trx, deps, new Map([[locked, offer]])) : charge(trx, deps, locked, offer)
  await giveUp(trx, deps, locked, 'withdrawn')
  await saveFailure(trx, locked.service.id, { failure: 'withdrawn', failed_card: null })
  await sendWithdrawn(trx, deps, locked)
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
