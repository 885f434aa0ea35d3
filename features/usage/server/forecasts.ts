import type { PlanPeriod } from '#kit/server/plan-period.ts'
import type { Balance } from '#providers/network/usage.port.ts'
import { type Forecast, createForecast } from './forecast.ts'
import type { Reading } from './readings.store.ts'
import type { UsageFacts } from './usage-facts.ts'
import type { UsagePlan } from './usage-plan.ts'

export function computePlanData({ sku, data_gb }: Pick<UsagePlan, 'sku' | 'data_gb'>, balances: Balance[]) {
  const totalMb = Math.round(data_gb * 1000)
  const planBalances = balances.filter((each) => each.sku === sku && each.type === 'data')
  return {
    totalMb,
    leftMb: Math.min(
      totalMb,
      planBalances.reduce((sum, { remaining }) => sum + remaining, 0),
    ),
  }
}

/**
 * Predicts how long the current cycle's data will last. Returns `null` if the pace is not representative: an add-on
 * with data or for roaming is active or was bought in this cycle, or the number changed during the cycle.
 */
export async function computeForecast(
  facts: UsageFacts,
  service: UsagePlan,
  period: PlanPeriod,
  reading: Reading<Balance[]>,
): Promise<Forecast | null> {
  if (period.isExpired) return null
  const cycleUsage = {
    ...computePlanData(service, reading.data),
    cycleStartsAt: period.cycleStartsAt,
    cycleEndsAt: period.renewsAt,
    readAt: reading.readAt,
  }
  const forecast = createForecast(cycleUsage, { now: facts.clock.now(), zone: facts.market.zone })
  if (!forecast || (await findAddOnData(facts, service, reading.data)).hasAny) return null
  return (await facts.hasChangedSince(service.id, period.cycleStartsAt)) ? null : forecast
}

export async function findAddOnData(
  { findProductsBySku }: Pick<UsageFacts, 'findProductsBySku'>,
  service: Pick<UsagePlan, 'sku'>,
  balances: Balance[],
): Promise<{ hasAny: boolean; homeMb: number }> {
  const otherBalances = balances.filter(({ sku }) => sku !== service.sku)
  const dataBalances = otherBalances.filter(({ type }) => type === 'data')
  const products = await findProductsBySku([...new Set(otherBalances.map(({ sku }) => sku))])
  const isRoaming = (sku: string): boolean => products.get(sku)?.roaming ?? false
  return {
    hasAny: dataBalances.length > 0 || otherBalances.some(({ sku }) => isRoaming(sku)),
    homeMb: dataBalances.filter(({ sku }) => !isRoaming(sku)).reduce((sum, { remaining }) => sum + remaining, 0),
  }
}
