import type { PlanPeriod } from '#kit/server/plan-period.ts'
import type { Balance } from '#providers/network/usage.port.ts'
import { type Forecast, forecast } from './forecast.ts'
import type { Reading } from './readings.store.ts'
import type { FactsOfUse } from './facts.ts'
import type { PlanOfUse } from './plan-of-use.ts'

/** A plan's data in its present cycle by the network's word, in MB. */
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
 * How long the data of the present cycle lasts at its pace. Null where that says nothing: also while an add-on with data or for
 * roaming is used, or was bought in this cycle, and when the number changed in it.
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

/** What there is beside the plan: whether anything bears on how its data is used, and MB that can be used at home. */
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
