import type { Stock } from '../stock.contract.ts'
import { formatCount, pluralize } from './count.labels.ts'
import { stockPeriodLabel } from './stock-period.labels.ts'

type Level = Stock['sims']

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
