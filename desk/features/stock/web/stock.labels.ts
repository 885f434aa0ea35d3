import type { Stock } from '../stock.contract.ts'
import { formatCount, pluralize } from './sim-load.labels.ts'

type Level = Stock['sims']

const daysPerYear = 365
const daysPerMonth = daysPerYear / 12
/** Estimates of up to this many days are shown in days. Longer estimates are too rough for that. */
const maxShownDays = 60

/** Formats how long a stock will last, for example `21 days` or `about 5 months`. */
export function stockPeriodLabel(days: number): string {
  if (days > daysPerYear) return 'over a year'
  if (days > maxShownDays) return `about ${Math.round(days / daysPerMonth)} months`
  return days === 0 ? 'less than a day' : pluralize(days, 'day', 'days')
}

export function simStockLabel({ unused, used, days }: Level): string {
  if (unused === 0) return 'No SIM packs left'
  const remainingPacksText = `${pluralize(unused, 'SIM pack', 'SIM packs')} left`
  if (days === null) return `${remainingPacksText}. None were used in the last 14 days`
  return `${remainingPacksText}, enough for ${stockPeriodLabel(days)} (${formatCount(used)} used in the last 14 days)`
}

export function voucherStockLabel({ unused, used, days }: Level): string {
  if (unused === 0) return `${formatCount(used)} used in the last 14 days`
  return days === null ? 'none used in the last 14 days' : `enough for ${stockPeriodLabel(days)}`
}
