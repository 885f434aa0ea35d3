import { sql, type Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    service_releases: ReleaseTable
  }
}

type ReleaseTable = {
  service_id: string
  external_id: string
  state: 'sent' | 'completed' | 'failed'
  fault: string | null
  created_at: Date
  ended_at: Date | null
  wake_at: Date | null
  tries: number
}
export type Release = Selectable<ReleaseTable>

/** Our operation id at the network; another try of an order that failed is another operation. */
export const releaseId = (serviceId: string, tries = 0): string => `release-${serviceId}${tries > 0 ? `-${tries}` : ''}`

/** Writes the intent down; false when it was there. */
export async function insertRelease(trx: Trx, serviceId: string, externalId: string, at: Temporal.Instant): Promise<boolean> {
  const row = await trx
    .insertInto('service_releases')
    .values({
      service_id: serviceId,
      external_id: externalId,
      state: 'sent',
      fault: null,
      created_at: toDate(at),
      ended_at: null,
      // The job does it at once; this is for the case that the job is lost.
      wake_at: toDate(realNow().add({ seconds: 20 })),
      tries: 0,
    })
    // Of two at once the later may meet the external ID first, which is made of the service’s own.
    .onConflict((conflict) => conflict.doNothing())
    .returning('service_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The service is its customer's no longer; its history stays. */
export async function markReleased(trx: Trx, serviceId: string, at: Temporal.Instant): Promise<boolean> {
  const result = await trx.updateTable('services').set({ released_at: toDate(at) }).where('id', '=', serviceId).where('released_at', 'is', null).executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export const findOpenRelease = (db: Db, serviceId: string) =>
  db
    .selectFrom('service_releases')
    .innerJoin('services', 'services.id', 'service_releases.service_id')
    .selectAll('service_releases')
    .select(['services.iccid', 'services.msisdn'])
    .where('service_id', '=', serviceId)
    .where('state', '=', 'sent')
    .executeTakeFirst()
export type OpenRelease = NonNullable<Awaited<ReturnType<typeof findOpenRelease>>>

export async function endRelease(db: Db, release: Pick<Release, 'service_id'>, state: 'completed' | 'failed', fault: string | null, at: Temporal.Instant): Promise<void> {
  await db
    .updateTable('service_releases')
    .set({ state, fault, ended_at: toDate(at), wake_at: null })
    .where('service_id', '=', release.service_id)
    .where('state', '=', 'sent')
    .execute()
}

type Tried = Pick<Release, 'service_id' | 'external_id' | 'tries'>

/** The network is at it, which takes it a moment. */
export const lookAtReleaseAgain = (db: Db, release: Tried): Promise<void> => wakeIn(db, release, release.tries < 10 ? 1 : 30)

/** Asks again in a while, longer each time. */
export const tryReleaseAgain = (db: Db, release: Tried): Promise<void> => wakeIn(db, release, longer(release))

/** The network's order failed, and may be placed once more: in a while, and under another id. */
export const orderReleaseAnew = (db: Db, release: Tried): Promise<void> =>
  wakeIn(db, release, longer(release), { external_id: releaseId(release.service_id, release.tries + 1) })

const longer = ({ tries }: Tried): number => Math.min(300, 2 ** Math.min(tries, 8))

async function wakeIn(db: Db, release: Tried, seconds: number, change: { external_id?: string } = {}): Promise<void> {
  await db
    .updateTable('service_releases')
    .set({ ...change, wake_at: toDate(realNow().add({ seconds })), tries: sql<number>`tries + 1` })
    .where('service_id', '=', release.service_id)
    // Another worker may have been here meanwhile.
    .where('external_id', '=', release.external_id)
    .where('state', '=', 'sent')
    .execute()
}

export async function takeReleasesToWake(trx: Trx): Promise<string[]> {
  const now = realNow()
  const rows = await trx
    .updateTable('service_releases')
    .set({ wake_at: toDate(now.add({ seconds: 20 })) })
    .where('service_id', 'in', (from) =>
      from.selectFrom('service_releases').select('service_id').where('wake_at', '<=', toDate(now)).orderBy('wake_at').limit(20).forUpdate().skipLocked(),
    )
    .returning('service_id')
    .execute()
  return rows.map((row) => row.service_id)
}
