import type { Trx } from '#kit/server/db.ts'
import { transact } from '#kit/server/db.ts'
import { lastDayKept, releaseAt } from '#kit/server/plan-period.ts'
import { nextOpening } from '#kit/server/reminder-hours.ts'
import { sideBySide } from '#kit/server/side-by-side.ts'
import { clearContactService } from '#features/auth/server/users.store.ts'
import {
  addDeadline,
  type DeadlineKind,
  type DueDeadline,
  lockDeadlines,
  takeDueDeadline,
  replaceDeadlines,
} from './deadlines.store.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import { sendExpiryMail, sendNumberReminder } from './plan-life.mail.ts'
import { findScheduleOf, lockService, type ScheduleOfService, type ServiceRow } from './plan-life.store.ts'
import { beginRelease } from './release.ts'
import { beginQueuedPlan } from './services.ts'

/**
 * Does what is due, one thing in one transaction, the earliest first, several services beside each other. One that is in trouble holds
 * up no other: it is passed over until the next round.
 * @throws the first failure, once all else is done
 */
export async function runDueDeadlines(deps: PlanLifeDeps, now: Temporal.Instant): Promise<void> {
  const inTrouble: string[] = []
  const failures: unknown[] = []
  await sideBySide(deps.atOnce, async () => {
    const taken: { due: DueDeadline | null } = { due: null }
    try {
      await transact(deps.db, async (trx) => {
        taken.due = await takeDueDeadline(trx, now, inTrouble)
        if (taken.due) await doDeadline(trx, deps, taken.due, now)
      })
    } catch (error) {
      if (!taken.due) throw error
      inTrouble.push(taken.due.serviceId)
      failures.push(error)
    }
    return taken.due !== null
  })
  if (failures.length > 0) throw failures[0]
}

type Due = { service: ServiceRow; schedule: ScheduleOfService; now: Temporal.Instant }

async function doDeadline(trx: Trx, deps: PlanLifeDeps, due: DueDeadline, now: Temporal.Instant): Promise<void> {
  // Held against a renewal: either it is there already, or it waits for us.
  const service = await lockService(trx, due.serviceId)
  const schedule = service && !service.released_at ? await findScheduleOf(trx, service.id) : null
  if (!service || !schedule) return
  if (due.kind === 'expiry') {
    if (!(await beginQueuedPlan(trx, deps, service.id))) await tellOfExpiry(trx, deps, { service, schedule, now })
  } else if (due.kind === 'release') {
    await beginRelease(trx, deps, service)
    // Nothing is left to say of a number that goes.
    await replaceDeadlines(trx, service.id, [])
    await clearContactService(trx, service.id, now)
  } else await remind(trx, deps, due.kind, { service, schedule, now })
}

/** Plans end at midnight; whoever renews before the morning need not read it. */
async function tellOfExpiry(trx: Trx, deps: PlanLifeDeps, { service, schedule, now }: Due): Promise<void> {
  const premise = await deps.premiseOf(trx, service.id, now)
  const onlyWhile = premise === null ? undefined : { serviceId: service.id, premise, byDay: true }
  await sendExpiryMail(trx, deps, { service, plan: schedule }, onlyWhile)
}

/** A renewal that is under way is known of in a while. */
const whileItIsPaid = { minutes: 30 }

/** Says what is so now, which may be less than was to be said; what cannot be said now is looked at again, unless all is over then. */
async function remind(trx: Trx, deps: PlanLifeDeps, kind: DeadlineKind, due: Due): Promise<void> {
  const { service, schedule, now } = due
  const { zone } = deps.market
  const isOfPlan = kind.startsWith('ends-')
  const end = isOfPlan ? schedule.expiresAt : releaseAt(schedule.expiresAt, zone, deps.numberKeptDays)
  const opening = nextOpening(now, zone)
  const isDone = !opening && (await (isOfPlan ? deps.remindOfEnd(trx, due) : remindOfNumber(trx, deps, due)))
  const again = opening ?? now.add(whileItIsPaid)
  if (!isDone && Temporal.Instant.compare(again, end) < 0) await addDeadline(trx, service.id, { kind, dueAt: again })
}

/** The longest before the number goes that it is spoken of. */
const mostDays = 14

/** False while a renewal is under way: the number is kept for it. */
async function remindOfNumber(trx: Trx, deps: PlanLifeDeps, { service, schedule, now }: Due): Promise<boolean> {
  if (!(await lockDeadlines(trx, service.id)).has('release')) return false
  const { zone } = deps.market
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const lastDay = lastDayKept(schedule.expiresAt, zone, deps.numberKeptDays)
  const days = today.until(lastDay, { largestUnit: 'days' }).days + 1
  const premise = await deps.premiseOf(trx, service.id, now)
  if (premise !== null && days >= 1 && days <= mostDays)
    await sendNumberReminder(
      trx,
      deps,
      { service, plan: schedule },
      { days, onlyWhile: { serviceId: service.id, premise, byDay: true } },
    )
  return true
}
