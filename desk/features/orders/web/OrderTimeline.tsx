import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { formatDateAndTimeWithSeconds } from '#desk/features/staff/web/date-time.labels.ts'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { DeskOrder } from '../orders.contract.ts'
import * as s from './Rail.module.css'

const toneClasses = { plain: '', good: '', warn: s.warn, bad: s.bad }

export function OrderTimeline({ rail: { steps, seconds, is_over, usual_seconds } }: { rail: DeskOrder['rail'] }) {
  const { zone } = useBootstrap().market
  if (steps.length === 0) return null
  return (
    <section className={s.rail} aria-label="Progress of this order">
      <ol className={s.steps}>
        {steps.map(({ what, at, note, tone }, index) => (
          <li key={`${at} ${index}`} className={`${s.step} ${toneClasses[tone]}`}>
            <b>{what}</b>
            <time dateTime={at}>{formatDateAndTimeWithSeconds(at, zone)}</time>
            {note && <span className={s.note}>{note}</span>}
          </li>
        ))}
      </ol>
      <p className={s.whole}>
        <b>{durationLabel(seconds)}</b>
        <span>
          {!is_over && <span>so far, </span>}
          {usual_seconds !== null && <span>usually {durationLabel(usual_seconds)}</span>}
        </span>
      </p>
    </section>
  )
}
