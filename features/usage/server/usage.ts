import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { getMidnight, type PlanPeriod } from '#kit/server/plan-period.ts'
import type { Balance, UsageRecord } from '#providers/network/usage.port.ts'
import { type UsageDetail, usageMessages, type UsageSummary } from '../usage.contract.ts'
import { getPlanPeriod, type UsagePlan } from './usage-plan.ts'
import type { UsageDeps } from './usage.deps.ts'
import type { Forecast } from './forecast.ts'
import { createUsageFacts } from './usage-facts.ts'
import { computePlanData, findAddOnData, computeForecast } from './forecasts.ts'
import { findLastReading, findReading, saveReading, summaryReadingKind, type Reading } from './readings.store.ts'
import { presentDetail, presentSummary } from './usage.present.ts'

/**
 * Reads a service's usage summary. If the network does not respond, the summary still includes the plan and its dates.
 */
export async function readSummary(deps: UsageDeps, service: ServiceWithPlanRow): Promise<UsageSummary> {
  const period = getPlanPeriod(deps, service)
  const reading = await readBalances(deps, service, period)
  const lastReading = reading
    ? null
    : await findLastReading<Balance[]>(deps.db, service.id, summaryReadingKind, {
        now: deps.clock.now(),
        since: period.cycleStartsAt,
      })
  return presentSummary(createUsageFacts(deps), service, period, { reading, last: lastReading })
}

const readBalances = (
  deps: UsageDeps,
  service: UsagePlan,
  { cycleStartsAt }: PlanPeriod,
): Promise<Reading<Balance[]> | null> =>
  readFromNetwork<Balance[]>(deps, service, { kind: summaryReadingKind, since: cycleStartsAt }, async () => {
    const balancesResponse = await deps.networkUsage.balances(service.msisdn)
    if (balancesResponse.foreign > 0) await deps.foreignUsage(service, 'balances', balancesResponse.foreign)
    return balancesResponse.outcome === 'known' ? balancesResponse.balances : balancesResponse
  })

export type CurrentUsage = {
  readAt: Temporal.Instant
  totalMb: number
  leftMb: number
  /** The MB left on add-ons that can be used domestically. */
  extraMb: number
  findForecast(): Promise<Forecast | null>
}

export const findPeriod = (deps: Pick<UsageDeps, 'clock' | 'market'>, service: UsagePlan): PlanPeriod =>
  getPlanPeriod(deps, service)

export async function findCurrentUsage(
  deps: UsageDeps,
  service: UsagePlan,
  period: PlanPeriod,
): Promise<CurrentUsage | null> {
  const reading = await readBalances(deps, service, period)
  if (!reading) return null
  const facts = createUsageFacts(deps)
  return {
    readAt: reading.readAt,
    ...computePlanData(service, reading.data),
    extraMb: (await findAddOnData(facts, service, reading.data)).homeMb,
    findForecast: () => computeForecast(facts, service, period, reading),
  }
}

/**
 * Reads a week of usage details. Page 0 is the week that ends today.
 * @throws 424 when the network does not respond
 */
export async function readDetail(deps: UsageDeps, service: ServiceWithPlanRow, page: number): Promise<UsageDetail> {
  const { zone } = deps.market
  const lastDay = deps.clock
    .now()
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .subtract({ days: 7 * page })
  const firstDay = lastDay.subtract({ days: 6 })
  const reading = await readFromNetwork<UsageRecord[]>(
    deps,
    service,
    { kind: `detail-${page}`, since: getMidnight(lastDay, zone) },
    async () => {
      const recordsResponse = await deps.networkUsage.records(
        service.msisdn,
        getMidnight(firstDay, zone),
        getMidnight(lastDay.add({ days: 1 }), zone),
      )
      if (recordsResponse.foreign > 0) await deps.foreignUsage(service, 'usage', recordsResponse.foreign)
      return recordsResponse.outcome === 'known' ? recordsResponse.records : recordsResponse
    },
  )
  if (!reading) throw new HttpError(424, { code: usageMessages.detailUnavailable })
  return presentDetail(reading, { first: firstDay, last: lastDay, zone })
}

type ReadingRequest = { kind: string; since: Temporal.Instant }

async function readFromNetwork<T extends object>(
  deps: UsageDeps,
  service: UsagePlan,
  { kind, since }: ReadingRequest,
  requestData: () => Promise<T | { why: string }>,
): Promise<Reading<T> | null> {
  const recentReading = await findReading<T>(deps.db, service.id, kind, { now: deps.clock.now(), since })
  if (recentReading) return recentReading
  const readAt = deps.clock.now()
  const data = await requestData()
  if ('why' in data) {
    deps.log.warn({ service: service.id, kind, reason: data.why }, 'the network did not return usage data')
    return null
  }
  const reading = { data, readAt }
  await saveReading(deps.db, service.id, kind, reading)
  return reading
}
