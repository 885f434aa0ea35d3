import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { PortStage } from '../ports.contract.ts'
import * as s from './Stages.module.css'

const looks = { plain: '', good: s.good, warn: s.warn, bad: s.bad }

export function Stages({ stages }: { stages: readonly PortStage[] }) {
  const { zone } = useBootstrap().market
  return (
    <ol className={s.stages} aria-label="Stages">
      {stages.map(({ words, at, is_now: isNow, tone }) => (
        <li
          key={words}
          className={`${s.stage} ${looks[tone]} ${isNow ? s.now : ''}`}
          aria-current={isNow ? 'step' : undefined}
        >
          <b>{words}</b>
          {at ? <time dateTime={at}>{minuteOf(at, zone)}</time> : tone === 'plain' && <span>to come</span>}
        </li>
      ))}
    </ol>
  )
}
