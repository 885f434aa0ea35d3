import { fromDate, realNow } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Ledgers } from './ledgers.ts'

// A sweep comes every half second, and one thing at a time is done.
const sweptWithinMs = 60_000

/**
 * What is wrong with services and their plans' lives, one sentence each: a live one has its plan's end and its number's
 * last day ahead of it, a released one nothing, and the network has its number back, once. Those made before `since` are left out.
 */
export async function faultsOfServices(db: Db, { network }: Ledgers, since = new Date(0)): Promise<string[]> {
  const services = await db
    .selectFrom('services')
    .innerJoin('schedules', 'schedules.service_id', 'services.id')
    .select(['services.id', 'released_at', 'expires_at'])
    .where('services.created_at', '>=', since)
    .execute()
  const clock = await db.selectFrom('clock').select('offset_ms').executeTakeFirst()
  const now = realNow().epochMilliseconds + Number(clock?.offset_ms ?? 0)
  const deadlines = Map.groupBy(await db.selectFrom('service_deadlines').selectAll().execute(), (row) => row.service_id)
  const releases = new Map(
    (await db.selectFrom('service_releases').selectAll().execute()).map((row) => [row.service_id, row]),
  )

  return services.flatMap(({ id, released_at: releasedAt, expires_at: expiresAt }) => {
    const due = deadlines.get(id) ?? []
    const dueAt = (kind: string) => due.find((deadline) => deadline.kind === kind)?.due_at.getTime()
    const release = releases.get(id)
    const given = network.filter(({ external_id: externalId }) => externalId === release?.external_id)
    const isOver = expiresAt.getTime() <= now
    const found = releasedAt
      ? [
          ...unless(due.length === 0, `has ${due.length} deadlines left`),
          ...unless(
            release?.state === 'completed' && release.retry_at === null,
            `has a release that is ${release?.state ?? 'missing'}`,
          ),
          // Nothing was asked for twice; of a SIM that the network had switched off already there is no order.
          ...unless(
            given.length === 1 || (given.length === 0 && release?.fault !== null),
            `was given back ${given.length} times`,
          ),
          ...unless(
            given.every(({ action, state }) => action === 'deactivate' && state === 'completed'),
            'is still on the network',
          ),
        ]
      : [
          ...unless(!release, 'is its customer’s and has a release'),
          ...unless(dueAt('release') !== undefined, 'will never be released'),
          ...unless(isOver || dueAt('expiry') === expiresAt.getTime(), 'will not be told of its plan’s end'),
          ...unless(
            due.every((deadline) => deadline.due_at.getTime() > now - sweptWithinMs),
            'has a deadline that is overdue',
          ),
        ]
    const state = releasedAt ? `released ${fromDate(releasedAt)}` : 'live'
    return found.map((fault) => `service ${id} (${state}) ${fault}`)
  })
}

const unless = (isGood: boolean, fault: string): string[] => (isGood ? [] : [fault])
