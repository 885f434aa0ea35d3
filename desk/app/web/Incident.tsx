import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { NoticeKind } from '#features/notices/notices.contract.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { Incident as Told } from '#desk/features/waits/waits.contract.ts'
import * as s from './Incident.module.css'

const aboutWords: Record<NoticeKind, string> = {
  payments: 'payments failing',
  network: 'network slow',
  transfers: 'transfers late',
  messages: 'messages late',
}

export function Incident({ incident }: { incident: Told | null }) {
  const { zone } = useBootstrap().market
  return (
    <div role="status" className={s.place}>
      {incident && (
        <Link href="/health/" className={`${s.incident} ${incident.of.kind === 'outage' ? s.away : ''}`}>
          <span className={s.dot} aria-hidden="true" />
          <span className={s.words}>
            {`${wordsOf(incident)} since ${minuteOf(incident.since, zone)}${incident.others > 0 ? `, and ${incident.others} more` : ''}`}
          </span>
        </Link>
      )}
    </div>
  )
}

const wordsOf = ({ of }: Told): string =>
  of.kind === 'outage' ? `No answer from ${of.words}` : `Notice on the portal (${aboutWords[of.about]})`
