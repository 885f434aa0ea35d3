import type { PlanPeriod } from '#kit/server/plan-period.ts'
import type { Balance } from '#providers/network/usage.port.ts'
import { type Forecast, forecast } from './forecast.ts'
import type { Reading } from './readings.store.ts'
import type { FactsOfUse } from './facts.ts'
import type { PlanOfUse } from './plan-of-use.ts'

export function dataOf({ sku, data_gb }: Pick<PlanOfUse, 'sku' | 'data_gb'>, balances: Balance[]) {
  const totalMb = Math.round(data_gb * 1000)
  const left = balances.filter((each) => each.sku === sku && each.type === 'data')
  return {
    totalMb,
    leftMb: Math.min(
      totalMb,
      left.reduce((sum, { remaining }) => sum + remaining, 0),
    ),
  }
}

/**
 * Predicts how long the data of the current cycle lasts. `null` when the pace is not representative: an add-on with
 * data or for roaming is active or was bought in this cycle, or the number changed in it.
 */
export async function forecastOf(
  facts: FactsOfUse,
  service: PlanOfUse,
  period: PlanPeriod,
  reading: Reading<Balance[]>,
): Promise<Forecast | null> {
  if (period.isExpired) return null
  const use = {
    ...dataOf(service, reading.data),
    cycleStartsAt: period.cycleStartsAt,
    cycleEndsAt: period.renewsAt,
    readAt: reading.readAt,
  }
  const said = forecast(use, { now: facts.clock.now(), zone: facts.market.zone })
  if (!said || (await extrasOf(facts, service, reading.data)).areAny) return null
  return (await facts.hasChangedSince(service.id, period.cycleStartsAt)) ? null : said
}

export async function extrasOf(
  { findProductsBySku }: Pick<FactsOfUse, 'findProductsBySku'>,
  service: Pick<PlanOfUse, 'sku'>,
  balances: Balance[],
): Promise<{ areAny: boolean; homeMb: number }> {
  const others = balances.filter(({ sku }) => sku !== service.sku)
  const data = others.filter(({ type }) => type === 'data')
  const products = await findProductsBySku([...new Set(others.map(({ sku }) => sku))])
  const isRoaming = (sku: string): boolean => products.get(sku)?.roaming ?? false
  return {
    areAny: data.length > 0 || others.some(({ sku }) => isRoaming(sku)),
    homeMb: data.filter(({ sku }) => !isRoaming(sku)).reduce((sum, { remaining }) => sum + remaining, 0),
  }
}
