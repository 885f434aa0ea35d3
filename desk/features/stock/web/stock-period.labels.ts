import { pluralize } from './count.labels.ts'

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
