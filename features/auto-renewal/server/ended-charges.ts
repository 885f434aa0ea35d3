import { fromDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { sideBySide } from '#kit/server/side-by-side.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import { clearCharge, lockFree, lockIfFree, scheduleStep } from './auto-renewal.store.ts'
import { orderFailed } from './charge.ts'
import { type EndedCharge, endThroughCharges, findEndedCharges } from './charges.store.ts'
import { lockAutoRenewal, type LockedAutoRenewal } from './turn.ts'

const mostEnded = 100

/**
 * Records the outcomes of charges in several parallel transactions. A failing charge does not affect the others.
 * Returns false when one failed: the failure is logged, and the charge is retried in the next round.
 */
export async function recordEndedCharges(deps: OrderDeps, now: Temporal.Instant): Promise<boolean> {
  let isWell = true
  for (let mayBeMore = true; mayBeMore;) {
    let hasWorked = false
    const ended = await findEndedCharges(deps.db, mostEnded)
    const done = await endThrough(deps, ended).catch(() => new Set<string>())
    if (done.size > 0) hasWorked = true
    const left = ended.filter((each) => !done.has(each.serviceId))
    await sideBySide(deps.atOnce, async () => {
      const serviceId = left.shift()?.serviceId
      if (serviceId === undefined) return false
      try {
        if (await recordOne(deps, serviceId, now)) hasWorked = true
      } catch (error) {
        isWell = false
        if (!deps.isAway(error))
          deps.log.error({ err: error, service: serviceId }, 'the outcome of a charge could not be recorded')
      }
      return true
    })
    mayBeMore = hasWorked && ended.length === mostEnded
  }
  return isWell
}

async function endThrough({ db }: OrderDeps, ended: readonly EndedCharge[]): Promise<Set<string>> {
  const through = ended.flatMap(({ serviceId, isThrough }) => (isThrough ? [serviceId] : []))
  if (through.length === 0) return new Set()
  // Another process may have locked or recorded some of them.
  return transact(db, async (trx) => new Set(await endThroughCharges(trx, await lockFree(trx, through))))
}

/** Returns false when another process has locked the service or has recorded the charge. */
const recordOne = (deps: OrderDeps, serviceId: string, now: Temporal.Instant): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const locked = (await lockIfFree(trx, serviceId)) ? await lockAutoRenewal(trx, serviceId, now) : null
    const orderId = locked?.autoRenewal.charge_order_id
    const order = orderId ? await findOrder(trx, orderId) : undefined
    if (!locked || !order || !isOver(order.state)) return false
    await recordChargeOutcome(trx, deps, locked, order)
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
  const next = enabled && step && dueAt ? fromDate(dueAt) : null
  const isInTime = next !== null && Temporal.Instant.compare(next, schedule.expiresAt) < 0
  await orderFailed(trx, deps, locked, { order, next: isInTime ? next : null })
}
