import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { StockOf } from '../today.contract.ts'
import { isShort, lastsWords, stockName } from './stock-words.ts'
import * as s from './today.module.css'

/** A bar is full at so many days. */
const fullDays = 30

/** What runs out, and when. */
export function StockPanel({ stock }: { stock: StockOf[] }) {
  return (
    <Panel title="Stock left" note="at the pace of 14 days" action={<Link href="/stock/">Stock</Link>}>
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
