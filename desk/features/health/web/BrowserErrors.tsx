import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { BrowserError } from '../health.contract.ts'
import * as s from './health.module.css'

export function BrowserErrors({ errors }: { errors: BrowserError[] }) {
  const { zone } = useBootstrap().market
  return (
    <Panel title="Browser errors" note="latest 20">
      {errors.length === 0 && <p className="muted">No browser errors reported.</p>}
      <ul className={s.list}>
        {errors.map(({ fingerprint, count, name, message, top_frame, page, first_seen, last_seen }) => (
          <li key={fingerprint} className={s.error}>
            <p>
              <b>{name}</b> {message}
            </p>
            <p className="muted small">
              {count} {count === 1 ? 'time' : 'times'} on <code>{page}</code> · last {formatDayAndTime(last_seen, zone)}
              , first {formatDayAndTime(first_seen, zone)} · <code>{top_frame ?? 'location unknown'}</code>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
