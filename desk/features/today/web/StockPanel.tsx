import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { stockPeriodLabel } from '#desk/features/stock/web/stock-period.labels.ts'
import type { StockEntry } from '../today.contract.ts'
import * as s from './today.module.css'
import { formatCount } from './figure.labels.ts'

/** Roughly how many days it takes to make or deliver more stock. */
const lowStockDays = 7

const stockName = ({ plan }: StockEntry): string => (plan === null ? 'SIM packs' : `Vouchers, ${plan}`)

const isLow = ({ unused, days }: StockEntry): boolean => unused === 0 || (days !== null && days < lowStockDays)

function stockDurationLabel({ unused, days }: StockEntry): string {
  if (unused === 0) return 'None left'
  if (days === null) return `${formatCount(unused)} left`
  const period = stockPeriodLabel(days)
  return period.charAt(0).toUpperCase() + period.slice(1)
}

const fullBarDays = 30

export function StockPanel({ stock }: { stock: StockEntry[] }) {
  return (
    <Panel title="Stock left" note="based on the last 14 days" action={<Link href="/stock/">Stock</Link>}>
      <ul className={s.list}>
        {stock.map((of) => (
          <li key={of.plan ?? ''} className={`${s.stock} ${isLow(of) ? s.low : ''}`}>
            <span>{stockName(of)}</span>
            <svg className={s.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={computeBarShare(of) * 100} height="1" />
            </svg>
            <b>{stockDurationLabel(of)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const computeBarShare = ({ unused, days }: StockEntry): number =>
  unused === 0 ? 0 : Math.min((days ?? fullBarDays) / fullBarDays, 1)
