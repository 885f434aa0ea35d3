import type { Trx } from '#kit/server/db.ts'
import { hourOnDayBefore, releaseAt } from '#kit/server/plan-period.ts'
import { type DeadlineKind, replaceDeadlines, type ServiceDeadline } from './deadlines.store.ts'
import type { PlanDeps } from './plan-life.deps.ts'

const morning = 9

/** Days before a plan ends, counting its last day as 1. */
const endReminders = { 'ends-7': 7, 'ends-3': 3, 'ends-1': 1 } as const
const shortPlanDays = 7
const shortPlanReminders = { 'ends-2': 2, 'ends-1': 1 } as const

const numberReminders = { 'reminder-14': 14, 'reminder-7': 7, 'reminder-1': 1 } as const

type Timing = { now: Temporal.Instant; zone: string; keptDays: number }

export function deadlinesOf(
  { lengthDays, expiresAt }: { lengthDays: number; expiresAt: Temporal.Instant },
  { now, zone, keptDays }: Timing,
): ServiceDeadline[] {
  const gone = releaseAt(expiresAt, zone, keptDays)
  const before = (end: Temporal.Instant, reminders: Partial<Record<DeadlineKind, number>>): ServiceDeadline[] =>
    Object.entries(reminders).map(([kind, days]) => ({
      kind: kind as DeadlineKind,
      dueAt: hourOnDayBefore(end, { days, hour: morning }, zone),
    }))
  return [
    // Reminders whose time has passed are dropped, such as those of a plan bought this afternoon that ends tonight.
    ...before(expiresAt, lengthDays > shortPlanDays ? endReminders : shortPlanReminders).filter(
      ({ dueAt }) => Temporal.Instant.compare(now, dueAt) < 0,
    ),
    { kind: 'expiry', dueAt: expiresAt },
    ...before(gone, Object.fromEntries(Object.entries(numberReminders).filter(([, days]) => days < keptDays))),
    { kind: 'release', dueAt: gone },
  ]
}

export async function scheduleForNewPlans(
  trx: Trx,
  deps: PlanDeps,
  plans: readonly { serviceId: string; lengthDays: number; expiresAt: Temporal.Instant }[],
): Promise<void> {
  const timing = { now: deps.clock.now(), zone: deps.market.zone, keptDays: deps.numberKeptDays }
  await replaceDeadlines(trx, new Map(plans.map((plan) => [plan.serviceId, deadlinesOf(plan, timing)])))
  await deps.plansBegan(trx, plans)
}
