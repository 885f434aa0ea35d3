import type { Trx } from '#kit/server/db.ts'
import { transact } from '#kit/server/db.ts'
import { clearContactService } from '#features/auth/server/users.store.ts'
import { takeDueDeadline } from './deadlines.store.ts'
import { reminderDays } from './plan-deadlines.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import { sendExpiryMail, sendReminder } from './plan-life.mail.ts'
import { findScheduleOf, lockService } from './plan-life.store.ts'
import { beginRelease } from './release.ts'
import { beginQueuedPlan } from './services.ts'

/** Does what is due, one thing in one transaction, the earliest first. */
export async function runDueDeadlines(deps: PlanLifeDeps, now: Temporal.Instant): Promise<void> {
  while (await transact(deps.db, (trx) => runOne(trx, deps, now))) continue
}

async function runOne(trx: Trx, deps: PlanLifeDeps, now: Temporal.Instant): Promise<boolean> {
  const due = await takeDueDeadline(trx, now)
  if (!due) return false
  // Held against a renewal: either it is there already, or it waits for us.
  const service = await lockService(trx, due.serviceId)
  const plan = service && !service.released_at ? await findScheduleOf(trx, service.id) : null
  if (!service || !plan) return true
  if (due.kind === 'expiry') {
    if (!(await beginQueuedPlan(trx, deps, service.id))) await sendExpiryMail(trx, deps, { service, plan })
  } else if (due.kind === 'release') {
    await beginRelease(trx, deps, service)
    await clearContactService(trx, service.id, now)
  } else await sendReminder(trx, deps, { service, plan }, reminderDays[due.kind])
  return true
}
