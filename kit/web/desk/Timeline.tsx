import { type ReactNode, useId } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { Link } from '../Link.tsx'
import { useToday } from '../use-today.ts'
import type { DeskIconName } from './DeskIcon.tsx'
import { IconMark } from './IconMark.tsx'
import { groupByDay, formatTime24, type TimelineDay } from './timeline-days.ts'
import type { Tone } from './tone.ts'
import * as s from './Timeline.module.css'
import type { TextFreeNode } from '../text-elements.tsx'

export type TimelineEntry = {
  key: string
  at: string
  icon: DeskIconName
  tone?: Tone
  text: ReactNode
  detail?: ReactNode
  link?: { href: string; text: string }
  action?: TextFreeNode
}

type Props = {
  entries: readonly TimelineEntry[]
  empty?: ReactNode
  more?: TextFreeNode
}

export function Timeline({ entries, empty = 'No entries yet.', more }: Props) {
  const { zone } = useBootstrap().market
  const days = groupByDay(entries, { zone, today: useToday() })
  return (
    <div className={s.timeline}>
      {days.map((day) => (
        <Day key={day.day} day={day} zone={zone} />
      ))}
      {entries.length === 0 && <p className="muted">{empty}</p>}
      {more}
    </div>
  )
}

function Day({ day: { title, entries }, zone }: { day: TimelineDay<TimelineEntry>; zone: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={s.day}>
        {title}
      </h3>
      <ol className={s.entries}>
        {entries.map(({ key, at, icon, tone, text, detail, link, action }) => (
          <li key={key} className={s.entry}>
            <time dateTime={at} className={s.time}>
              {formatTime24(at, zone)}
            </time>
            <IconMark icon={icon} tone={tone} />
            <div className={s.words}>
              <p className={s.text}>{text}</p>
              {detail && <p className={s.detail}>{detail}</p>}
            </div>
            {link && (
              <Link href={link.href} className={s.link}>
                {link.text}
              </Link>
            )}
            {action}
          </li>
        ))}
      </ol>
    </section>
  )
}
