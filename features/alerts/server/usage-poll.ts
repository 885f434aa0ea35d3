import type { Db, Trx } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { PlanPeriod } from '#kit/server/plan-period.ts'
import { dayOf } from '#kit/server/relative-day.ts'
import { findExtraDataPrice } from '#features/plans/server/plans.store.ts'
import { findServiceWithPlan, type ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { presentOwnService } from '#features/services/server/services.present.ts'
import { findPeriod, type CurrentUsage } from '#features/usage/server/usage.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import type { UsageAlertFacts } from './usage-alert.mail.ts'
import type { findActiveThresholds } from './alerts.ts'
import type { UsageReading } from './next-poll.ts'
import { findWatch, type UsageWatch } from './watch.store.ts'

export type UsagePoll = {
  watch: UsageWatch
  service: ServiceWithPlanRow
  period: PlanPeriod
  wanted: Awaited<ReturnType<typeof findActiveThresholds>>
  use: UsageReading & CurrentUsage
}

export const formatAlertSendCondition = (cycleStartsAt: Temporal.Instant, threshold: number): string =>
  `usage:${cycleStartsAt.toString()}:${threshold}`

export async function findAlertSendCondition(
  db: Db | Trx,
  deps: Pick<AlertsDeps, 'clock' | 'market'>,
  serviceId: string,
): Promise<string | null> {
  const service = await findServiceWithPlan(db, serviceId)
  const watch = service && (await findWatch(db, serviceId))
  const period = service && findPeriod(deps, service)
  if (!watch?.cycle || !period || period.isExpired || !fromDate(watch.cycle).equals(period.cycleStartsAt)) return null
  return formatAlertSendCondition(period.cycleStartsAt, watch.last_threshold)
}

/** Plan states in which another plan follows, so that the service continues after the last data cycle. */
const statesWithFollowingPlan: readonly string[] = ['renews', 'next_plan_paid', 'charging']

export async function findAlertFacts(
  deps: AlertsDeps,
  { service, period, use }: UsagePoll,
  threshold: number,
): Promise<UsageAlertFacts> {
  const { db, clock, market } = deps
  const presentService = () => presentOwnService(deps, { userId: service.user_id, id: service.id })
  const planStatus = period.isFinalCycle ? (await presentService())?.outlook : null
  return {
    totalMb: use.totalMb,
    leftMb: use.leftMb,
    cycleStartsAt: period.cycleStartsAt,
    endsOn: dayOf(period.renewsAt, market.zone),
    today: dayOf(clock.now(), market.zone),
    isRenewing: !period.isFinalCycle || (planStatus ? statesWithFollowingPlan.includes(planStatus.state) : false),
    extraDataCents: await findExtraDataPrice(db),
    forecast: threshold < 100 ? await use.findForecast() : null,
  }
}
