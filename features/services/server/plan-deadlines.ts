import type { Trx } from '#kit/server/db.ts'
import { getHourOnDayBefore, computeReleaseTime } from '#kit/server/plan-period.ts'
import { type DeadlineKind, replaceDeadlines, type ServiceDeadline } from './deadlines.store.ts'
import type { PlanScheduleDeps } from './plan-life.deps.ts'

const reminderHour = 9

/** Plan-end reminders, and how many days before the end they are sent. The plan's last day counts as 1. */
const planEndReminderDays = { 'ends-7': 7, 'ends-3': 3, 'ends-1': 1 } as const
const shortPlanDays = 7
const shortPlanReminderDays = { 'ends-2': 2, 'ends-1': 1 } as const

const numberReminderDays = { 'reminder-14': 14, 'reminder-7': 7, 'reminder-1': 1 } as const

type DeadlineTiming = { now: Temporal.Instant; zone: string; keptDays: number }

export function createDeadlines(
  { lengthDays, expiresAt }: { lengthDays: number; expiresAt: Temporal.Instant },
  { now, zone, keptDays }: DeadlineTiming,
): ServiceDeadline[] {
  const releasedAt = computeReleaseTime(expiresAt, zone, keptDays)
  const createReminderDeadlines = (
    end: Temporal.Instant,
    reminders: Partial<Record<DeadlineKind, number>>,
  ): ServiceDeadline[] =>
    Object.entries(reminders).map(([kind, days]) => ({
      kind: kind as DeadlineKind,
      dueAt: getHourOnDayBefore(end, { days, hour: reminderHour }, zone),
    }))
  return [
    // Drop reminders whose time has already passed, for example if the plan was bought this afternoon and ends tonight.
    ...createReminderDeadlines(
      expiresAt,
      lengthDays > shortPlanDays ? planEndReminderDays : shortPlanReminderDays,
    ).filter(({ dueAt }) => Temporal.Instant.compare(now, dueAt) < 0),
    { kind: 'expiry', dueAt: expiresAt },
    ...createReminderDeadlines(
      releasedAt,
      Object.fromEntries(Object.entries(numberReminderDays).filter(([, days]) => days < keptDays)),
    ),
    { kind: 'release', dueAt: releasedAt },
  ]
}

export async function scheduleNewPlans(
  trx: Trx,
  deps: PlanScheduleDeps,
  plans: readonly { serviceId: string; lengthDays: number; expiresAt: Temporal.Instant }[],
): Promise<void> {
  const deadlineTiming = { now: deps.clock.now(), zone: deps.market.zone, keptDays: deps.numberKeptDays }
  await replaceDeadlines(trx, new Map(plans.map((plan) => [plan.serviceId, createDeadlines(plan, deadlineTiming)])))
  await deps.plansBegan(trx, plans)
}
