import type { Trx } from '#kit/server/db.ts'
import { transact } from '#kit/server/db.ts'
import { clearContactService } from '#features/auth/server/users.store.ts'
import { type DeadlineKind, replaceDeadlines, type ServiceDeadline, takeDueDeadline } from './deadlines.store.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import { sendExpiryMail, sendReminder } from './plan-life.mail.ts'
import { findPlanOf, lockService } from './plan-life.store.ts'
import { midnight } from '#kit/server/plan-period.ts'
import { beginRelease } from './release.ts'

/** Nobody wants a mail at midnight. */
const mailHour = 9

const reminderDays = { 'reminder-14': 14, 'reminder-7': 7, 'reminder-1': 1 } as const

/** All that will be due for a service, from its plan's end on. */
export function deadlinesOf(expiresAt: Temporal.Instant, zone: string, keptDays: number): ServiceDeadline[] {
  const gone = expiresAt.toZonedDateTimeISO(zone).toPlainDate().add({ days: keptDays })
  const reminders = Object.entries(reminderDays).flatMap(([kind, days]) => {
    const dueAt = gone.subtract({ days }).toZonedDateTime({ timeZone: zone, plainTime: { hour: mailHour } }).toInstant()
    return days < keptDays ? [{ kind: kind as DeadlineKind, dueAt }] : []
  })
  return [{ kind: 'expiry', dueAt: expiresAt }, ...reminders, { kind: 'release', dueAt: midnight(gone, zone) }]
}

/** A plan has begun or was renewed: what was due by the old one is void. */
export async function planAhead(trx: Trx, deps: Pick<PlanLifeDeps, 'market' | 'numberKeptDays'>, serviceId: string, expiresAt: Temporal.Instant): Promise<void> {
  await replaceDeadlines(trx, serviceId, deadlinesOf(expiresAt, deps.market.zone, deps.numberKeptDays))
}

/** Does what is due, one thing in one transaction, the earliest first. */
export async function runDueDeadlines(deps: PlanLifeDeps, now: Temporal.Instant): Promise<void> {
  while (await transact(deps.db, (trx) => runOne(trx, deps, now))) continue
}

async function runOne(trx: Trx, deps: PlanLifeDeps, now: Temporal.Instant): Promise<boolean> {
  const due = await takeDueDeadline(trx, now)
  if (!due) return false
  // Held against a renewal: either it is there already, or it waits for us.
  const service = await lockService(trx, due.serviceId)
  const plan = service && !service.released_at ? await findPlanOf(trx, service.id) : null
  if (!service || !plan) return true
  if (due.kind === 'expiry') await sendExpiryMail(trx, deps, service, plan)
  else if (due.kind === 'release') {
    await beginRelease(trx, deps, service)
    await clearContactService(trx, service.id, now)
  } else await sendReminder(trx, deps, service, plan, reminderDays[due.kind])
  return true
}
