import type { StockOf } from '../today.contract.ts'
import { count } from './figure-words.ts'

/** To have more of it made or sent takes about so long. */
const shortDays = 7
const yearDays = 365

export const stockName = ({ plan }: StockOf): string => (plan === null ? 'SIM packs' : `Vouchers, ${plan}`)

/** Whether somebody has to see to it now. */
export const isShort = ({ unused, days }: StockOf): boolean => unused === 0 || (days !== null && days < shortDays)

/** For how long it lasts: `21 days`; where nobody uses it how many there are. */
export function lastsWords({ unused, days }: StockOf): string {
  if (unused === 0) return 'None left'
  if (days === null) return `${count(unused)} left`
  if (days > yearDays) return 'Over a year'
  return days === 0 ? 'Under a day' : `${days} ${days === 1 ? 'day' : 'days'}`
}
