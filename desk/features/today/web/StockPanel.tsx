import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { StockOf } from '../today.contract.ts'
import * as s from './today.module.css'
import { count } from './figure-words.ts'

/** Days that it takes roughly to make or deliver more stock. */
const shortDays = 7
const yearDays = 365

const stockName = ({ plan }: StockOf): string => (plan === null ? 'SIM packs' : `Vouchers, ${plan}`)

const isShort = ({ unused, days }: StockOf): boolean => unused === 0 || (days !== null && days < shortDays)

function lastsWords({ unused, days }: StockOf): string {
  if (unused === 0) return 'None left'
  if (days === null) return `${count(unused)} left`
  if (days > yearDays) return 'Over a year'
  return days === 0 ? 'Less than a day' : `${days} ${days === 1 ? 'day' : 'days'}`
}

const fullDays = 30

export function StockPanel({ stock }: { stock: StockOf[] }) {
  return (
    <Panel title="Stock left" note="based on the last 14 days" action={<Link href="/stock/">Stock</Link>}>
      <ul className={s.list}>
        {stock.map((of) => (
          <li key={of.plan ?? ''} className={`${s.stock} ${isShort(of) ? s.low : ''}`}>
            <span>{stockName(of)}</span>
            <svg className={s.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={partOf(of) * 100} height="1" />
            </svg>
            <b>{lastsWords(of)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const partOf = ({ unused, days }: StockOf): number => (unused === 0 ? 0 : Math.min((days ?? fullDays) / fullDays, 1))
