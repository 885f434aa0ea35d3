import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { SecurityEvent } from '../security.contract.ts'
import { getDeviceName } from './device-name.ts'
import { Timestamp } from './Timestamp.tsx'
import { eventsQuery } from './security.queries.ts'
import * as s from './security.module.css'

export function SecurityEvents() {
  const { data: events, error, refetch } = useQuery({ ...eventsQuery(useApi()), retryOnMount: false })
  if (events) return <EventList events={events} />
  if (error)
    return (
      <Unavailable
        what="Your recent activity can’t be loaded right now."
        error={error}
        onRetry={() => void refetch()}
      />
    )
  return (
    <Card>
      <Skeleton lines={8} />
    </Card>
  )
}

function EventList({ events }: { events: readonly SecurityEvent[] }) {
  return (
    <Card className={s.card}>
      <h2 className={s.heading}>Recent activity</h2>
      <p className={s.lead}>
        Don’t recognise something? <Link href="/account/change-password/">Change your password</Link>: this logs out
        every other device.
      </p>
      {events.length === 0 && (
        <p className={s.note}>Nothing yet. You’ll see logins and changes to your details here.</p>
      )}
      <ol className={s.list}>
        {/* Index keys are safe: the events never move, and two events can be equal in every field. */}
        {events.map((event, index) => (
          <EventItem key={index} event={event} />
        ))}
      </ol>
    </Card>
  )
}

function EventItem({ event: { at, text, times, ...device } }: { event: SecurityEvent }) {
  const name = getDeviceName(device)
  return (
    <li className={s.event}>
      <p>{text}</p>
      <p className={s.when}>
        {times > 1 && <span>{times} times, last on </span>}
        <Timestamp at={at} />
        {name && <span>, with {name}</span>}
      </p>
    </li>
  )
}
