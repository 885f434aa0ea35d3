import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { runInParallel } from '#kit/server/run-in-parallel.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import { clearCharge, lockAvailableServices, tryLockService, scheduleStep } from './auto-renewal.store.ts'
import { handleFailedOrder } from './charge-plans.ts'
import { type EndedCharge, endSuccessfulCharges, findEndedCharges } from './charges.store.ts'
import { lockAutoRenewal, type LockedAutoRenewal } from './locked-auto-renewal.ts'

const maxEndedCharges = 100

/**
 * Records the outcomes of finished charges in several parallel transactions. If one outcome cannot be recorded, the others are not
 * affected: the error is logged, the next run tries to record the outcome again, and this function returns false.
 */
export async function recordChargeOutcomes(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  let isWell = true
  for (let hasMore = true; hasMore;) {
    let hasRecorded = false
    const ended = await findEndedCharges(deps.db, maxEndedCharges)
    const recordedServices = await recordSuccessfulCharges(deps, ended).catch(() => new Set<string>())
    if (recordedServices.size > 0) hasRecorded = true
    const remainingCharges = ended.filter((endedCharge) => !recordedServices.has(endedCharge.serviceId))
    await runInParallel(deps.atOnce, async () => {
      const serviceId = remainingCharges.shift()?.serviceId
      if (serviceId === undefined) return false
      try {
        if (await recordServiceOutcome(deps, serviceId, now)) hasRecorded = true
      } catch (error) {
        isWell = false
        if (!deps.noteOutage(error))
          deps.log.error({ err: error, service: serviceId }, 'the outcome of a charge could not be recorded')
      }
      return true
    })
    hasMore = hasRecorded && ended.length === maxEndedCharges
  }
  return isWell
}

async function recordSuccessfulCharges({ db }: OrderDeps, endedCharges: readonly EndedCharge[]): Promise<Set<string>> {
  const successfulServices = endedCharges.flatMap(({ serviceId, isPlanAdded }) => (isPlanAdded ? [serviceId] : []))
  if (successfulServices.length === 0) return new Set()
  // Another process may have locked some of these charges or recorded their outcomes, so return only those recorded here.
  return transact(
    db,
    async (trx) => new Set(await endSuccessfulCharges(trx, await lockAvailableServices(trx, successfulServices))),
  )
}

/**
 * Records one charge's outcome. Returns false if another process has locked the service or has already recorded the
 * outcome.
 */
const recordServiceOutcome = (deps: OrderDeps, serviceId: string, now: Temporal.Instant): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const lockedAutoRenewal = (await tryLockService(trx, serviceId)) ? await lockAutoRenewal(trx, serviceId, now) : null
    const orderId = lockedAutoRenewal?.autoRenewal.charge_order_id
    const order = orderId ? await findOrder(trx, orderId) : undefined
    if (!lockedAutoRenewal || !order || !isEndState(order.state)) return false
    await recordChargeOutcome(trx, deps, lockedAutoRenewal, order)
    return true
  })

export async function recordChargeOutcome(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  order: Order,
): Promise<void> {
  const { service, schedule } = locked
  const { enabled, step, due_at: dueAt } = locked.autoRenewal
  await clearCharge(trx, service.id)
  if (order.state === 'completed') return scheduleStep(trx, service.id, null)
  const nextAttemptAt = enabled && step && dueAt ? fromDate(dueAt) : null
  const isBeforeExpiry = nextAttemptAt !== null && Temporal.Instant.compare(nextAttemptAt, schedule.expiresAt) < 0
  await handleFailedOrder(trx, deps, locked, { order, next: isBeforeExpiry ? nextAttemptAt : null })
}
