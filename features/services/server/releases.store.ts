import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { type RetryQueue, scheduleRetry } from '#kit/server/retry-queue.ts'
import { type ReleaseState, releaseTransitions } from '../releases.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    service_releases: ReleaseTable
  }
}

type ReleaseTable = {
  service_id: string
  external_id: string
  state: ReleaseState
  fault: string | null
  created_at: Date
  ended_at: Date | null
  retry_at: Date | null
  tries: number
}
type Release = Selectable<ReleaseTable>

/** Builds the ID of a release's order at the network. Each retry of a failed order needs a new ID. */
export const buildReleaseOrderId = (serviceId: string, tries = 0): string =>
  `release-${serviceId}${tries > 0 ? `-${tries}` : ''}`

export const numberReleaseQueue: RetryQueue = {
  queue: 'services.release',
  table: 'service_releases',
  key: 'service_id',
  leaseSeconds: 20,
}

export async function insertRelease(
  trx: Trx,
  serviceId: string,
  externalId: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const row = await trx
    .insertInto('service_releases')
    .values({
      service_id: serviceId,
      external_id: externalId,
      state: 'initiated',
      fault: null,
      created_at: toDate(at),
      ended_at: null,
      // A job processes the release at once. This retry matters only if the job is lost.
      retry_at: toDate(realNow().add({ seconds: numberReleaseQueue.leaseSeconds })),
      tries: 0,
    })
    // Don't name a column in `onConflict`, because a concurrent insert may violate the unique external ID first.
    .onConflict((conflict) => conflict.doNothing())
    .returning('service_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function markServiceReleased(trx: Trx, serviceId: string, at: Temporal.Instant): Promise<boolean> {
  const result = await trx
    .updateTable('services')
    .set({ released_at: toDate(at) })
    .where('id', '=', serviceId)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export const findOpenRelease = (db: Db, serviceId: string) =>
  db
    .selectFrom('service_releases')
    .innerJoin('services', 'services.id', 'service_releases.service_id')
    .selectAll('service_releases')
    .select(['services.iccid', 'services.msisdn'])
    .where('service_id', '=', serviceId)
    .where('state', '=', 'initiated')
    .executeTakeFirst()

export async function lockOpenRelease(trx: Trx, serviceId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('service_releases')
    .select('service_id')
    .where('service_id', '=', serviceId)
    .where('state', '=', 'initiated')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export type OpenRelease = NonNullable<Awaited<ReturnType<typeof findOpenRelease>>>

export const transitionRelease = createStateTransition({
  table: 'service_releases',
  transitions: releaseTransitions,
  asRead: ['service_id'],
  also: () => ({ retry_at: null }),
})

/** Schedules a retry of the release, unless another worker has placed a new order in the meantime. */
export const scheduleReleaseRetry = (
  db: Db,
  { service_id, external_id }: Pick<Release, 'service_id' | 'external_id'>,
  seconds: number,
  change: { external_id?: string } = {},
): Promise<void> => scheduleRetry(db, numberReleaseQueue, { service_id, external_id }, { seconds, change })

export async function hasOpenRelease(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('service_releases')
    .innerJoin('services', 'services.id', 'service_releases.service_id')
    .select('services.id')
    .where('services.user_id', '=', userId)
    .where('service_releases.state', '=', 'initiated')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
