import { randomInt, randomUUID } from 'node:crypto'
import { fromDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { getMidnight, computeReleaseTime } from '#kit/server/plan-period.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { restoreReleaseDeadline } from './deadlines.store.ts'
import { scheduleNewPlans } from './plan-deadlines.ts'
import type { PlanScheduleDeps } from './plan-life.deps.ts'
import { type LockedService, lockServiceWithSchedule, replaceSchedules } from './plan-life.store.ts'
import { insertQueuedPlan, type QueuedPlan, dequeuePlans } from './queued-plans.store.ts'
import { insertSchedule, insertService } from './services.store.ts'

/**
 * Computes a plan's first day and end. The purchase date in the market's time zone is day 1, and the plan ends at
 * midnight after its last day.
 */
export function computePlanDates(
  bought: Temporal.Instant,
  lengthDays: number,
  zone: string,
): { startsOn: string; expiresAt: Temporal.Instant } {
  const day = bought.toZonedDateTimeISO(zone).toPlainDate()
  return { startsOn: day.toString(), expiresAt: getMidnight(day.add({ days: lengthDays }), zone) }
}

/**
 * Starts a paid plan now or, if `startsAt` is given, queues it for the end of the current plan. If the current plan has
 * ended in the meantime, the new plan still starts at `startsAt`, to match the network's records.
 */
export async function startOrQueuePlan(
  trx: Trx,
  deps: PlanScheduleDeps,
  { service, schedule, pendingDeadlines }: LockedService,
  { orderId, product, startsAt }: { orderId: string; product: Product; startsAt: Temporal.Instant | null },
): Promise<void> {
  const plan = {
    orderId,
    productId: product.unique_id,
    lengthDays: product.length,
    startsAt: startsAt ?? deps.clock.now(),
  }
  if (!startsAt || !pendingDeadlines.has('expiry')) return startPlans(trx, deps, new Map([[service.id, plan]]))
  await insertQueuedPlan(trx, service.id, plan)
  await restoreServiceRelease(trx, deps, service.id, fromDate(schedule.expires_at))
}

export async function startQueuedPlans(
  trx: Trx,
  deps: PlanScheduleDeps,
  serviceIds: readonly string[],
): Promise<Set<string>> {
  const plans = await dequeuePlans(trx, serviceIds)
  if (plans.size > 0) await startPlans(trx, deps, plans)
  return new Set(plans.keys())
}

export async function rescheduleNumberRelease(trx: Trx, deps: PlanScheduleDeps, serviceId: string): Promise<void> {
  const lockedService = await lockServiceWithSchedule(trx, serviceId)
  if (lockedService) await restoreServiceRelease(trx, deps, serviceId, fromDate(lockedService.schedule.expires_at))
}

const restoreServiceRelease = (
  trx: Trx,
  { market, numberKeptDays }: PlanScheduleDeps,
  serviceId: string,
  expiresAt: Temporal.Instant,
): Promise<void> => restoreReleaseDeadline(trx, serviceId, computeReleaseTime(expiresAt, market.zone, numberKeptDays))

async function startPlans(trx: Trx, deps: PlanScheduleDeps, plans: Map<string, QueuedPlan>): Promise<void> {
  const startedPlans = [...plans].map(([serviceId, { startsAt, ...plan }]) => ({
    serviceId,
    ...plan,
    ...computePlanDates(startsAt, plan.lengthDays, deps.market.zone),
  }))
  await replaceSchedules(trx, startedPlans)
  await scheduleNewPlans(trx, deps, startedPlans)
}

export async function startService(
  trx: Trx,
  deps: PlanScheduleDeps,
  service: { id: string; userId: string; orderId: string; iccid: string; msisdn: string; product: Product },
): Promise<void> {
  const { product, ...serviceFields } = service
  const now = deps.clock.now()
  const period = computePlanDates(now, product.length, deps.market.zone)
  await insertService(trx, serviceFields, now)
  await insertSchedule(trx, {
    id: randomUUID(),
    shortId: generateShortId(),
    serviceId: service.id,
    orderId: service.orderId,
    productId: product.unique_id,
    ...period,
  })
  await scheduleNewPlans(trx, deps, [
    { serviceId: service.id, lengthDays: product.length, expiresAt: period.expiresAt },
  ])
}

/**
 * Creates a schedule's short id, which stays the same across renewals. A short id starts with a digit, so it never
 * equals a path segment of a route.
 */
function generateShortId(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  return Array.from({ length: 8 }, (_, position) => alphabet[randomInt(position === 0 ? 10 : alphabet.length)]).join('')
}
