import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { NoticeKind } from '#features/notices/notices.contract.ts'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { Incident as Told } from '#desk/features/counters/counters.contract.ts'
import * as s from './Incident.module.css'

const noticeKindLabels: Record<NoticeKind, string> = {
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
            {`${describeIncident(incident)} since ` +
              `${formatDayAndTime(incident.since, zone)}${incident.others > 0 ? `, and ${incident.others} more` : ''}`}
          </span>
        </Link>
      )}
    </div>
  )
}

const describeIncident = ({ of }: Told): string =>
  of.kind === 'outage' ? `No answer from ${of.words}` : `Notice on the portal (${noticeKindLabels[of.about]})`
