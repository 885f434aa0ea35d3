import { formatPrice, centsToDecimal } from '#kit/contract/money.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { dayOf } from '#kit/server/relative-day.ts'
import type { PlanPeriod } from '#kit/server/plan-period.ts'
import type { Balance, UsageRecord } from '#providers/network/usage.port.ts'
import type { OwnedAddOn, UsageDetail, UsageSummary } from '../usage.contract.ts'
import { createEntitlements, createPlanEntitlements } from './entitlements.ts'
import type { UsageFacts } from './usage-facts.ts'
import { describeForecast } from './forecast.present.ts'
import { computePlanData, computeForecast } from './forecasts.ts'
import type { Reading } from './readings.store.ts'

export async function presentSummary(
  facts: UsageFacts,
  service: ServiceWithPlanRow,
  period: PlanPeriod,
  { reading, last }: { reading: Reading<Balance[]> | null; last: Reading<Balance[]> | null },
): Promise<UsageSummary> {
  const presentPlanEntitlements = ({ data }: Reading<Balance[]>) =>
    period.isExpired
      ? []
      : createPlanEntitlements(
          service,
          data.filter(({ sku }) => sku === service.sku),
        )
  const otherBalances = reading?.data.filter(({ sku }) => sku !== service.sku) ?? []
  const products =
    otherBalances.length > 0
      ? await facts.findProductsBySku([...new Set(otherBalances.map(({ sku }) => sku))])
      : new Map<string, ProductRow>()
  return {
    plan: {
      title: service.title,
      entitlements: reading && presentPlanEntitlements(reading),
      last_known: last && { entitlements: presentPlanEntitlements(last), read_at: formatInstant(last.readAt) },
      renewal_length: period.cycleLength,
      is_final_cycle: period.isFinalCycle,
      cycles: period.cycles,
    },
    expiry_date: period.expiresAt.toString(),
    renewal_date: period.renewsAt.toString(),
    days_remaining: period.daysRemaining,
    addons: reading && presentAddOns(otherBalances, products),
    forecast: await presentForecast(facts, service, period, reading ?? last),
    is_expired: period.isExpired,
    read_at: reading && formatInstant(reading.readAt),
  }
}

async function presentForecast(
  facts: UsageFacts,
  service: ServiceWithPlanRow,
  period: PlanPeriod,
  reading: Reading<Balance[]> | null,
): Promise<UsageSummary['forecast']> {
  const forecastData = reading && (await computeForecast(facts, service, period, reading))
  if (!forecastData) return null
  const extraDataPriceCents = forecastData.verdict === 'runs-out' ? await facts.findExtraDataPrice() : null
  const { zone } = facts.market
  const text = describeForecast(forecastData, {
    totalMb: computePlanData(service, reading.data).totalMb,
    endsOn: dayOf(period.renewsAt, zone),
    isFinalCycle: period.isFinalCycle,
  })
  return { text, add_data: extraDataPriceCents === null ? null : `Add data from ${formatPrice(extraDataPriceCents)}` }
}

const formatInstant = (at: Temporal.Instant): string => at.toString({ fractionalSecondDigits: 3 })

function presentAddOns(balances: Balance[], products: Map<string, ProductRow>): OwnedAddOn[] {
  const purchases = Map.groupBy(balances, ({ operationId, sku }) => operationId ?? sku)
  return [...purchases]
    .flatMap(([id, bought]) => {
      const [firstBalance] = bought
      const product = firstBalance && products.get(firstBalance.sku)
      if (!firstBalance || !product) return []
      return [
        {
          unique_id: product.unique_id,
          id,
          name: product.title,
          price: centsToDecimal(product.price_cents),
          roaming: product.roaming,
          expiry_date: firstBalance.until,
          entitlements: createEntitlements(product, bought),
        },
      ]
    })
    .toSorted((a, b) => a.expiry_date.localeCompare(b.expiry_date))
}

export function presentDetail(
  { data, readAt }: Reading<UsageRecord[]>,
  { first, last, zone }: { first: Temporal.PlainDate; last: Temporal.PlainDate; zone: string },
): UsageDetail {
  const days = Array.from({ length: 7 }, (_, day) => first.add({ days: day }).toString())
  const toLocalDay = (at: string): string => Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString()
  const megabytesByDay = new Map(days.map((day) => [day, 0]))
  for (const { type, at, amount } of data) {
    const day = toLocalDay(at)
    if (type === 'data' && megabytesByDay.has(day)) megabytesByDay.set(day, (megabytesByDay.get(day) ?? 0) + amount)
  }
  const recordsNewestFirst = data.toReversed()
  return {
    start_date: first.toString(),
    end_date: last.toString(),
    data_usage: [...megabytesByDay].map(([date, value]) => ({ date, value: Math.round(value * 100) / 100 })),
    voice_usage: recordsNewestFirst
      .filter(({ type }) => type === 'voice')
      .map(({ at, destination, amount }) => ({
        date: at,
        destination: destination ?? '',
        duration: Math.round(amount),
      })),
    txt_usage: recordsNewestFirst
      .filter(({ type }) => type === 'sms')
      .map(({ at, destination }) => ({ date: at, destination: destination ?? '' })),
    read_at: formatInstant(readAt),
  }
}
