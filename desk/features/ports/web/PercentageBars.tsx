import type { ReactNode } from 'react'
import * as s from './PercentageBars.module.css'

export type PercentageBar = {
  key: string
  what: ReactNode
  /** How much of the bar is filled, from 0 to 1. */
  share: number
  figure: ReactNode
  also?: ReactNode
  isBad?: boolean
}

export function PercentageBars({ label, rows }: { label: string; rows: readonly PercentageBar[] }) {
  const hasMore = rows.some(({ also }) => also !== undefined)
  return (
    <ul className={`${s.rows} ${hasMore ? s.more : ''}`} aria-label={label}>
      {rows.map(({ key, what, share, figure, also, isBad = false }) => (
        <li key={key} className={isBad ? s.bad : ''}>
          <span>{what}</span>
          <svg className={s.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={share * 100} height="1" />
          </svg>
          <b>{figure}</b>
          {hasMore && <i>{also}</i>}
        </li>
      ))}
    </ul>
  )
}
