import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { PortStage } from '../ports.contract.ts'
import * as s from './PortStages.module.css'

const toneClasses = { plain: '', good: s.good, warn: s.warn, bad: s.bad }

export function PortStages({ stages }: { stages: readonly PortStage[] }) {
  const { zone } = useBootstrap().market
  return (
    <ol className={s.stages} aria-label="Stages">
      {stages.map(({ words, at, is_now: isNow, tone }) => (
        <li
          key={words}
          className={`${s.stage} ${toneClasses[tone]} ${isNow ? s.now : ''}`}
          aria-current={isNow ? 'step' : undefined}
        >
          <b>{words}</b>
          {at ? <time dateTime={at}>{formatDayAndTime(at, zone)}</time> : tone === 'plain' && <span>to come</span>}
        </li>
      ))}
    </ol>
  )
}
