import type { Market } from '#kit/contract/bootstrap.ts'
import { decimalToCents, formatPrice } from '#kit/contract/money.ts'
import {
  formatDataAmount,
  monthlyAverage,
  computePricePer30Days,
  getTotalAndCycleDataLabel,
} from '#kit/contract/plans.ts'
import type { Product } from '../plans.contract.ts'

export const shortDataLabel = (plan: Pick<Product, 'length' | 'data_gb'>): string =>
  getTotalAndCycleDataLabel(plan) ?? formatDataAmount(plan.data_gb)

/**
 * The monthly average of a plan's price, in cents. Only New Zealand requires it, beside every price of a plan that is sold in days.
 * Returns `null` in other markets.
 */
export const computeMonthlyAverage = (
  market: Market,
  { price, length }: Pick<Product, 'price' | 'length'>,
): number | null => (market.code === 'NZ' ? monthlyAverage(decimalToCents(price), length) : null)

/** The rows of a checkout summary that compare a plan's price with other plans. Empty in markets without a monthly average. */
export function monthlyAverageRows(market: Market, plan: Pick<Product, 'price' | 'length'>): [string, string][] {
  const average = computeMonthlyAverage(market, plan)
  if (average === null) return []
  return [
    [
      plan.length === 30 ? 'For 30 days' : 'Per 30 days',
      formatPrice(computePricePer30Days(decimalToCents(plan.price), plan.length)),
    ],
    ['Monthly average', formatPrice(average)],
  ]
}
