import type { Market } from '#kit/contract/bootstrap.ts'
import { decimalToCents, formatPrice } from '#kit/contract/money.ts'
import {
  cycleCountOf,
  formatData,
  monthlyAverage,
  pricePer30Days,
  totalAndCycleDataLabel,
  totalDataLabel,
} from '#kit/contract/plans.ts'
import type { Product } from '../plans.contract.ts'

type PlanSize = Pick<Product, 'length' | 'data_gb'>

/**
 * How often a plan's data allowance is granted, and the total: `'every 30 days (75 GB in all)'` or `'to use in 7
 * days'`. Non-breaking spaces keep each number on one line with its unit.
 */
export function dataPerCycleLabel(plan: PlanSize): string {
  const cycles = cycleCountOf(plan.length)
  if (cycles === 1) return `to use in ${withNoBreakSpaces(`${plan.length} days`)}`
  const totalDataText = totalDataLabel(plan)
  return `every ${withNoBreakSpaces('30 days')}${totalDataText ? ` (${withNoBreakSpaces(totalDataText)})` : ''}`
}

const withNoBreakSpaces = (text: string): string => text.replaceAll(' ', '\u00A0')

export const shortDataLabel = (plan: PlanSize): string => totalAndCycleDataLabel(plan) ?? formatData(plan.data_gb)

/**
 * The monthly average of a plan's price, in cents. Only New Zealand asks for it, beside every price of a plan that is sold in days.
 * Returns `null` in other markets.
 */
export const monthlyAverageOf = (market: Market, { price, length }: Pick<Product, 'price' | 'length'>): number | null =>
  market.code === 'NZ' ? monthlyAverage(decimalToCents(price), length) : null

/** The rows of a checkout summary that compare a plan's price with other plans. Empty in markets without a monthly average. */
export function monthlyAverageRows(market: Market, plan: Pick<Product, 'price' | 'length'>): [string, string][] {
  const average = monthlyAverageOf(market, plan)
  if (average === null) return []
  return [
    ['Per 30 days', formatPrice(pricePer30Days(decimalToCents(plan.price), plan.length))],
    ['Monthly average', formatPrice(average)],
  ]
}
