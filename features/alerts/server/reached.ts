import type { Db, Trx } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import type { PlanPeriod } from '#kit/server/plan-period.ts'
import { dayOf } from '#kit/server/day-words.ts'
import { findExtraDataPrice } from '#features/plans/server/plans.store.ts'
import { findServiceWithPlan, type OwnService } from '#features/services/server/own-service.store.ts'
import { presentOwnService } from '#features/services/server/services.present.ts'
import { findPeriod, type UseNow } from '#features/usage/server/usage.ts'
import type { AlertsDeps } from './alerts.deps.ts'
import type { ReachedFacts } from './usage-alert.mail.ts'
import type { thresholdsOf } from './alerts.ts'
import type { Use } from './next-look.ts'
import { findWatch, type Watch } from './watch.store.ts'

export type Look = {
  watch: Watch
  service: OwnService
  period: PlanPeriod
  wanted: Awaited<ReturnType<typeof thresholdsOf>>
  use: Use & UseNow
}

export const alertPremise = (cycleStartsAt: Temporal.Instant, threshold: number): string =>
  `usage:${cycleStartsAt.toString()}:${threshold}`

export async function alertPremiseOf(
  db: Db | Trx,
  deps: Pick<AlertsDeps, 'clock' | 'market'>,
  serviceId: string,
): Promise<string | null> {
  const service = await findServiceWithPlan(db, serviceId)
  const watch = service && (await findWatch(db, serviceId))
  const period = service && findPeriod(deps, service)
  if (!watch?.cycle || !period || period.isExpired || !fromDate(watch.cycle).equals(period.cycleStartsAt)) return null
  return alertPremise(period.cycleStartsAt, watch.last_threshold)
}

/** States in which the service continues after the current plan, so only the cycle ends. */
const goingOn: readonly string[] = ['renews', 'next_plan_paid', 'charging']

export async function factsOf(
  deps: AlertsDeps,
  { service, period, use }: Look,
  threshold: number,
): Promise<ReachedFacts> {
  const { db, clock, market } = deps
  const present = () => presentOwnService(deps, { userId: service.user_id, id: service.id })
  const outlook = period.isFinalCycle ? (await present())?.outlook : null
  return {
    totalMb: use.totalMb,
    leftMb: use.leftMb,
    cycleStartsAt: period.cycleStartsAt,
    endsOn: dayOf(period.renewsAt, market.zone),
    today: dayOf(clock.now(), market.zone),
    isRenewing: !period.isFinalCycle || (outlook ? goingOn.includes(outlook.state) : false),
    extraDataCents: await findExtraDataPrice(db),
    forecast: threshold < 100 ? await use.findForecast() : null,
  }
}
