import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CopyText } from '#kit/web/desk/CopyText.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { DeskPort } from '../ports.contract.ts'
import * as s from './port.module.css'

const toneClasses = { plain: '', good: '', warn: s.warn, bad: s.bad }

export function PortEvents({ port: { events, for_carrier: text, next_try: next } }: { port: DeskPort }) {
  const { zone } = useBootstrap().market
  return (
    <Panel
      title="What happened"
      note={next && `next check with the network ${formatDayAndTime(next, zone)}`}
      inset={false}
      action={<CopyText text={text}>Copy for the carrier</CopyText>}
    >
      <ol className={s.events} reversed>
        {events.toReversed().map(({ at, words, detail, by, tone }, index) => (
          <li key={`${at} ${index}`} className={toneClasses[tone]}>
            <time dateTime={at}>{formatDayAndTime(at, zone)}</time>
            <span className={s.words}>
              <b>{words}</b> {[detail, by].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
        {events.length === 0 && <li className="muted">No events recorded.</li>}
      </ol>
    </Panel>
  )
}
