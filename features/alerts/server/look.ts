import { fromDate, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { hoursOfUse, nextOpening } from '#kit/server/reminder-hours.ts'
import { findServiceWithPlan } from '#features/services/server/own-service.store.ts'
import { findPeriod, findUseNow } from '#features/usage/server/usage.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import { firstLookAt, thresholdsOf } from './alerts.ts'
import { type Before, hoursUntilLook, reachedOf, usedPercent } from './next-look.ts'
import { alertPremise, factsOf, type Look } from './reached.ts'
import { sendUsageAlert } from './usage-alert.mail.ts'
import { findTaken, giveBack, type Taken, type Watch } from './watch.store.ts'

const whileSilent = { hours: 1 }

export async function lookAtUse(deps: AlertsDeps, taken: Taken): Promise<void> {
  const { db, market } = deps
  const watch = await findTaken(db, taken)
  if (!watch) return
  const service = await findServiceWithPlan(db, taken.serviceId)
  const wanted = await thresholdsOf(db, market, taken.serviceId)
  const period = service && findPeriod(deps, service)
  // A new plan or a new choice schedules the next query.
  if (!service || !period || period.isExpired || wanted.size === 0 || !(service.data_gb > 0))
    return void (await giveBack(db, taken, { due_at: null }))
  const use = await findUseNow(deps, service, period)
  const now = deps.clock.now()
  if (!use) return void (await giveBack(db, taken, { due_at: toDate(now.add(whileSilent)) }))
  const hoursGone = use.readAt.since(period.cycleStartsAt).total('hours')
  await tellOf(deps, taken, { watch, service, period, wanted, use: { ...use, hoursGone } })
}

async function tellOf(deps: AlertsDeps, taken: Taken, look: Look): Promise<void> {
  const { watch, service, period, wanted, use } = look
  const isSameCycle = watch.cycle !== null && fromDate(watch.cycle).equals(period.cycleStartsAt)
  const last = isSameCycle ? watch.last_threshold : 0
  const reached = reachedOf(use, [...wanted.keys()])
  const now = deps.clock.now()
  const isNew = reached > last
  // The alert at 100 percent is sent even at night, because the data connection stops working.
  const opening = isNew && reached < 100 ? nextOpening(now, deps.market.zone, hoursOfUse) : null
  const told = isNew && !opening ? reached : last
  const before = isSameCycle ? beforeOf(watch, use.readAt) : null
  const nextLook = nextLookAt(deps, look, { reached: Math.max(reached, last), before })
  const facts = told === last ? null : await factsOf(deps, look, told)
  await transact(deps.db, async (trx) => {
    const isOurs = await giveBack(trx, taken, {
      due_at: toDate(opening && Temporal.Instant.compare(opening, nextLook) < 0 ? opening : nextLook),
      cycle: toDate(period.cycleStartsAt),
      last_threshold: told,
      left_mb: use.leftMb + use.extraMb,
      looked_at: toDate(use.readAt),
    })
    const channel = wanted.get(told)
    if (!isOurs || !facts || !channel) return
    const premise = alertPremise(period.cycleStartsAt, told)
    const percent = usedPercent(use)
    await sendUsageAlert(trx, deps, { service, threshold: told, channel, percent, ...facts, premise })
  })
}

function beforeOf({ left_mb: leftMb, looked_at: at }: Watch, readAt: Temporal.Instant): Before | null {
  return leftMb === null || !at ? null : { leftMb, hoursAgo: readAt.since(fromDate(at)).total('hours') }
}

function nextLookAt(
  { clock }: AlertsDeps,
  { service, period, wanted, use }: Look,
  { reached, before }: { reached: number; before: Before | null },
): Temporal.Instant {
  const higher = [...wanted.keys()].filter((threshold) => threshold > reached)
  if (higher.length === 0) return firstLookAt(period.renewsAt, service.id)
  return clock.now().add({ milliseconds: Math.round(3_600_000 * hoursUntilLook(use, before, higher)) })
}
