import { externalServices } from '#kit/server/external-calls.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { monitoredServices } from '#desk/features/today/server/provider-states.view.ts'
import type { Incident } from '../counters.contract.ts'

export async function readIncident(db: Db, now: Temporal.Instant): Promise<Incident | null> {
  const outages = await db
    .selectFrom('outages')
    .select(['service', 'failing_since'])
    .where('service', 'in', monitoredServices)
    .where('failing_since', 'is not', null)
    .orderBy('failing_since')
    .execute()
  const notices = await db
    .selectFrom('notices')
    .select(['kind', 'said_at'])
    .where('ended_at', 'is', null)
    .where('ends_at', '>', toDate(now))
    .orderBy('said_at')
    .execute()
  const otherIncidentCount = outages.length + notices.length - 1
  const [outage] = outages
  if (outage?.failing_since)
    return {
      of: { kind: 'outage', words: externalServices[outage.service] },
      since: outage.failing_since.toISOString(),
      others: otherIncidentCount,
    }
  const [notice] = notices
  return notice
    ? { of: { kind: 'notice', about: notice.kind }, since: notice.said_at.toISOString(), others: otherIncidentCount }
    : null
}
