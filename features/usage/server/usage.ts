import type { OwnService } from '#features/services/server/own-service.store.ts'
import { Refusal } from '#kit/server/refusal.ts'
import { midnight, type PlanPeriod } from '#kit/server/plan-period.ts'
import type { Balance, UsageRecord } from '#providers/network/usage.port.ts'
import { type UsageDetail, usageMessages, type UsageSummary } from '../usage.contract.ts'
import { periodOf, type PlanOfUse } from './plan-of-use.ts'
import type { UsageDeps } from './usage.deps.ts'
import type { Forecast } from './forecast.ts'
import { askedFacts } from './facts.ts'
import { dataOf, extrasOf, forecastOf } from './forecasts.ts'
import { findLastReading, findReading, saveReading, summaryKind, type Reading } from './readings.store.ts'
import { presentDetail, presentSummary } from './usage.present.ts'

/** When the network does not respond, the plan and its days are still included. */
export async function usageSummary(deps: UsageDeps, service: OwnService): Promise<UsageSummary> {
  const period = periodOf(deps, service)
  const reading = await readBalances(deps, service, period)
  const last = reading
    ? null
    : await findLastReading<Balance[]>(deps.db, service.id, summaryKind, {
        now: deps.clock.now(),
        since: period.cycleStartsAt,
      })
  return presentSummary(askedFacts(deps), service, period, { reading, last })
}

const readBalances = (
  deps: UsageDeps,
  service: PlanOfUse,
  { cycleStartsAt }: PlanPeriod,
): Promise<Reading<Balance[]> | null> =>
  readNetwork<Balance[]>(deps, service, { kind: summaryKind, since: cycleStartsAt }, async () => {
    const answer = await deps.networkUsage.balances(service.msisdn)
    if (answer.foreign > 0) await deps.foreignUsage(service, 'balances', answer.foreign)
    return answer.outcome === 'known' ? answer.balances : answer
  })

export type UseNow = {
  readAt: Temporal.Instant
  totalMb: number
  leftMb: number
  /** MB of add-ons that can be used domestically. */
  extraMb: number
  findForecast(): Promise<Forecast | null>
}

export const findPeriod = (deps: Pick<UsageDeps, 'clock' | 'market'>, service: PlanOfUse): PlanPeriod =>
  periodOf(deps, service)

export async function findUseNow(deps: UsageDeps, service: PlanOfUse, period: PlanPeriod): Promise<UseNow | null> {
  const reading = await readBalances(deps, service, period)
  if (!reading) return null
  const facts = askedFacts(deps)
  return {
    readAt: reading.readAt,
    ...dataOf(service, reading.data),
    extraMb: (await extrasOf(facts, service, reading.data)).homeMb,
    findForecast: () => forecastOf(facts, service, period, reading),
  }
}

/**
 * Page 0 ends today.
 * @throws 424 when the network does not respond
 */
export async function usageDetail(deps: UsageDeps, service: OwnService, page: number): Promise<UsageDetail> {
  const { zone } = deps.market
  const last = deps.clock
    .now()
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .subtract({ days: 7 * page })
  const first = last.subtract({ days: 6 })
  const reading = await readNetwork<UsageRecord[]>(
    deps,
    service,
    { kind: `detail-${page}`, since: midnight(last, zone) },
    async () => {
      const answer = await deps.networkUsage.records(
        service.msisdn,
        midnight(first, zone),
        midnight(last.add({ days: 1 }), zone),
      )
      if (answer.foreign > 0) await deps.foreignUsage(service, 'usage', answer.foreign)
      return answer.outcome === 'known' ? answer.records : answer
    },
  )
  if (!reading) throw new Refusal(424, { code: usageMessages.detailUnavailable })
  return presentDetail(reading, { first, last, zone })
}

type Asked = { kind: string; since: Temporal.Instant }

async function readNetwork<T extends object>(
  deps: UsageDeps,
  service: PlanOfUse,
  { kind, since }: Asked,
  ask: () => Promise<T | { why: string }>,
): Promise<Reading<T> | null> {
  const known = await findReading<T>(deps.db, service.id, kind, { now: deps.clock.now(), since })
  if (known) return known
  const readAt = deps.clock.now()
  const data = await ask()
  if ('why' in data) {
    deps.log.warn({ service: service.id, kind, reason: data.why }, 'the network does not tell of usage')
    return null
  }
  const reading = { data, readAt }
  await saveReading(deps.db, service.id, kind, reading)
  return reading
}
