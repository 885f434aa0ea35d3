import type { Trx } from '#kit/server/db.ts'
import { hourOnDayBefore, releaseAt } from '#kit/server/plan-period.ts'
import { type DeadlineKind, replaceDeadlines, type ServiceDeadline } from './deadlines.store.ts'
import type { PlanDeps } from './plan-life.deps.ts'

/** Mail goes out in the morning, not at midnight. */
const mailHour = 9

/** Days before the number goes. */
export const reminderDays = { 'reminder-14': 14, 'reminder-7': 7, 'reminder-1': 1 } as const

/** All that will be due for a service, from its plan's end on. */
function deadlinesOf(expiresAt: Temporal.Instant, zone: string, keptDays: number): ServiceDeadline[] {
  const gone = releaseAt(expiresAt, zone, keptDays)
  const reminders = Object.entries(reminderDays).flatMap(([kind, days]) =>
    days < keptDays
      ? [{ kind: kind as DeadlineKind, dueAt: hourOnDayBefore(gone, { days, hour: mailHour }, zone) }]
      : [],
  )
  return [{ kind: 'expiry', dueAt: expiresAt }, ...reminders, { kind: 'release', dueAt: gone }]
}

/** Schedules what follows a plan that has begun: the deadlines of its service, in place of the old plan's, and its auto-renewal. */
export async function scheduleForNewPlan(
  trx: Trx,
  deps: PlanDeps,
  serviceId: string,
  expiresAt: Temporal.Instant,
): Promise<void> {
  await replaceDeadlines(trx, serviceId, deadlinesOf(expiresAt, deps.market.zone, deps.numberKeptDays))
  await deps.planBegan(trx, serviceId, expiresAt)
}
