import { fromDate, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { usageMessageHours, computeNextSendingTime } from '#kit/server/sending-hours.ts'
import { findServiceWithPlan } from '#features/services/server/own-service.store.ts'
import { findPeriod, findCurrentUsage } from '#features/usage/server/usage.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import { getFirstPollTime, findActiveThresholds } from './alerts.ts'
import {
  type PreviousReading,
  computeHoursUntilPoll,
  getHighestReachedThreshold,
  computeUsedPercent,
} from './next-poll.ts'
import { formatAlertSendCondition, findAlertFacts, type UsagePoll } from './usage-poll.ts'
import { sendUsageAlert } from './usage-alert.mail.ts'
import { findLeasedWatch, releaseWatch, type LeasedWatch, type UsageWatch } from './watch.store.ts'

const retryDelay = { hours: 1 }

export async function pollUsage(deps: AlertsDeps, leasedWatch: LeasedWatch): Promise<void> {
  const { db, market } = deps
  const watch = await findLeasedWatch(db, leasedWatch)
  if (!watch) return
  const service = await findServiceWithPlan(db, leasedWatch.serviceId)
  const thresholds = await findActiveThresholds(db, market, leasedWatch.serviceId)
  const period = service && findPeriod(deps, service)
  // Stop checking this service for now. A new plan or a change to the alert settings will schedule the next check.
  if (!service || !period || period.isExpired || thresholds.size === 0 || !(service.data_gb > 0))
    return void (await releaseWatch(db, leasedWatch, { due_at: null }))
  const use = await findCurrentUsage(deps, service, period)
  const now = deps.clock.now()
  if (!use) return void (await releaseWatch(db, leasedWatch, { due_at: toDate(now.add(retryDelay)) }))
  const elapsedHours = use.readAt.since(period.cycleStartsAt).total('hours')
  await evaluateUsage(deps, leasedWatch, {
    watch,
    service,
    period,
    wanted: thresholds,
    use: { ...use, hoursGone: elapsedHours },
  })
}

async function evaluateUsage(deps: AlertsDeps, leasedWatch: LeasedWatch, usagePoll: UsagePoll): Promise<void> {
  const { watch, service, period, wanted, use } = usagePoll
  const isSameCycle = watch.cycle !== null && fromDate(watch.cycle).equals(period.cycleStartsAt)
  const lastThreshold = isSameCycle ? watch.last_threshold : 0
  const reachedThreshold = getHighestReachedThreshold(use, [...wanted.keys()])
  const now = deps.clock.now()
  const isNew = reachedThreshold > lastThreshold
  // Send the 100 percent alert even at night, because the customer's data has stopped working.
  const sendingTime =
    isNew && reachedThreshold < 100 ? computeNextSendingTime(now, deps.market.zone, usageMessageHours) : null
  const alertThreshold = isNew && !sendingTime ? reachedThreshold : lastThreshold
  const previousReading = isSameCycle ? getPreviousReading(watch, use.readAt) : null
  const nextPoll = getNextPollTime(deps, usagePoll, {
    reached: Math.max(reachedThreshold, lastThreshold),
    before: previousReading,
  })
  const alertFacts = alertThreshold === lastThreshold ? null : await findAlertFacts(deps, usagePoll, alertThreshold)
  await transact(deps.db, async (trx) => {
    const hasLease = await releaseWatch(trx, leasedWatch, {
      due_at: toDate(sendingTime && Temporal.Instant.compare(sendingTime, nextPoll) < 0 ? sendingTime : nextPoll),
      cycle: toDate(period.cycleStartsAt),
      last_threshold: alertThreshold,
      left_mb: use.leftMb + use.extraMb,
      looked_at: toDate(use.readAt),
    })
    const channel = wanted.get(alertThreshold)
    if (!hasLease || !alertFacts || !channel) return
    const sendCondition = formatAlertSendCondition(period.cycleStartsAt, alertThreshold)
    const percent = computeUsedPercent(use)
    await sendUsageAlert(trx, deps, {
      service,
      threshold: alertThreshold,
      channel,
      percent,
      ...alertFacts,
      premise: sendCondition,
    })
  })
}

function getPreviousReading(
  { left_mb: leftMb, looked_at: at }: UsageWatch,
  readAt: Temporal.Instant,
): PreviousReading | null {
  return leftMb === null || !at ? null : { leftMb, hoursAgo: readAt.since(fromDate(at)).total('hours') }
}

function getNextPollTime(
  { clock }: AlertsDeps,
  { service, period, wanted, use }: UsagePoll,
  { reached, before }: { reached: number; before: PreviousReading | null },
): Temporal.Instant {
  const higherThresholds = [...wanted.keys()].filter((threshold) => threshold > reached)
  if (higherThresholds.length === 0) return getFirstPollTime(period.renewsAt, service.id)
  return clock.now().add({ milliseconds: Math.round(3_600_000 * computeHoursUntilPoll(use, before, higherThresholds)) })
}
