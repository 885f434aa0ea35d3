import type { ReactNode } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { EvidenceSection } from '../disputes.contract.ts'
import * as s from './money.module.css'

export function EvidencePanels({ sections, children }: { sections: EvidenceSection[]; children: ReactNode }) {
  return (
    <section aria-label="Evidence" className={s.evidence}>
      <header className={s.evidenceHead}>
        <h2>Evidence</h2>
        {children}
      </header>
      <div className={s.columns}>
        {sections.map((section) => (
          <Panel key={section.title} title={section.title} inset={false}>
            <EvidenceRows section={section} />
          </Panel>
        ))}
      </div>
    </section>
  )
}

function EvidenceRows({ section: { rows, none } }: { section: EvidenceSection }) {
  const { zone } = useBootstrap().market
  if (rows.length === 0) return <p className={s.none}>{none}</p>
  return (
    <ul className={s.rows}>
      {rows.map(({ at, what, said }, index) => (
        // Several rows can have the same text, so the React key includes the index.
        <li key={`${index} ${what}`}>
          {at ? <time dateTime={at}>{formatDayAndTime(at, zone)}</time> : <span className={s.never} />}
          <b>{what}</b>
          <span className={s.said}>{said}</span>
        </li>
      ))}
    </ul>
  )
}
