import { Panel } from '#kit/web/desk/Panel.tsx'
import type { Figures } from '../today.contract.ts'
import { formatCount } from './figure.labels.ts'
import * as s from './today.module.css'

export function RefusalsPanel({ refusals }: { refusals: Figures['refusals'] }) {
  const maxRefusalCount = Math.max(1, ...refusals.map(({ times }) => times))
  return (
    <Panel title="Why payments fail" note="7 days">
      {refusals.length === 0 && <p className="muted">No payments were refused.</p>}
      <ul className={s.list}>
        {refusals.map(({ why, times }) => (
          <li key={why} className={s.refusal}>
            <span>{why || 'No reason given'}</span>
            <svg className={s.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(times / maxRefusalCount) * 100} height="1" />
            </svg>
            <b>{formatCount(times)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
