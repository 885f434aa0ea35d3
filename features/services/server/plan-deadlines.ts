import type { Trx } from '#kit/server/db.ts'
import { hourOnDayBefore, releaseAt } from '#kit/server/plan-period.ts'
import { type DeadlineKind, replaceDeadlines, type ServiceDeadline } from './deadlines.store.ts'
import type { PlanDeps } from './plan-life.deps.ts'

/** Messages go out in the morning, not at midnight. */
const morning = 9

/** Days before a plan ends, its last day being 1. */
const endReminders = { 'ends-7': 7, 'ends-3': 3, 'ends-1': 1 } as const
/** So short a plan has fewer, and later ones. */
const shortPlanDays = 7
const shortPlanReminders = { 'ends-2': 2, 'ends-1': 1 } as const

/** Days before the number goes. */
const numberReminders = { 'reminder-14': 14, 'reminder-7': 7, 'reminder-1': 1 } as const

type Timing = { now: Temporal.Instant; zone: string; keptDays: number }

/** All that will be due for a service: before its plan's end, at it, and until its number goes. */
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
    // Of a plan that was bought this afternoon and ends tonight nobody is reminded.
    ...before(expiresAt, lengthDays > shortPlanDays ? endReminders : shortPlanReminders).filter(
      ({ dueAt }) => Temporal.Instant.compare(now, dueAt) < 0,
    ),
    { kind: 'expiry', dueAt: expiresAt },
    ...before(gone, Object.fromEntries(Object.entries(numberReminders).filter(([, days]) => days < keptDays))),
    { kind: 'release', dueAt: gone },
  ]
}

/** Schedules what follows plans that have begun: the deadlines of their services, in place of the old plans', and auto-renewal. */
export async function scheduleForNewPlans(
  trx: Trx,
  deps: PlanDeps,
  plans: readonly { serviceId: string; lengthDays: number; expiresAt: Temporal.Instant }[],
): Promise<void> {
  const timing = { now: deps.clock.now(), zone: deps.market.zone, keptDays: deps.numberKeptDays }
  await replaceDeadlines(trx, new Map(plans.map((plan) => [plan.serviceId, deadlinesOf(plan, timing)])))
  await deps.plansBegan(trx, plans)
}
