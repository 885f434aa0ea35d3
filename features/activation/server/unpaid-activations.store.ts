import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { lockKeysForCounting } from '#kit/server/limits.ts'
import { deleteAnonymousSessions } from '#kit/server/session.ts'
import type { ActivationRow } from './activation.store.ts'

/**
 * Maximum activations without an order per SIM pack. Several people can start with the same pack, and the first one to
 * pay gets it.
 */
const maxActivationsPerPack = 5
const retentionDays = 30
const purgeBatchSize = 500

/**
 * Keeps at most five activations without an order per SIM pack, so that repeated starts cannot fill the table.
 * Activations with the fewest submitted steps lapse first, starting with the oldest, so nobody can displace an
 * activation with more steps by repeating the first one. Steps are counted by filled columns, because signed-in
 * customers skip some states. Rows locked by another transaction are in use and are kept. Anonymous sessions that have
 * no other activation are deleted too.
 */
export async function lapseExcessActivations(
  trx: Trx,
  newest: Pick<ActivationRow, 'id' | 'iccid'>,
  now: Temporal.Instant,
): Promise<void> {
  await lockKeysForCounting(trx, [`activations:${newest.iccid}`])
  const { rows } = await sql<{ session_id: string }>`
    with surplus as (
      select id from activations
      where id in (
        select id from activations
        where iccid = ${newest.iccid} and ended_at is null and order_id is null and id <> ${newest.id}
        order by (porting is not null)::int + (user_id is null and email is not null)::int + (method is not null)::int
          + (product_id is not null)::int desc, started_at desc, id
        offset ${maxActivationsPerPack - 1}
      )
      for update skip locked
    )
    update activations set ended_at = ${toDate(now)}, password_hash = null from surplus
    where activations.id = surplus.id and activations.ended_at is null and activations.order_id is null
    returning session_id`.execute(trx)
  await deleteUnneededSessions(trx, rows)
}

export async function purgeActivationsWithoutOrder(db: Db, now: Temporal.Instant): Promise<void> {
  for (let purged = purgeBatchSize; purged === purgeBatchSize;) {
    const rows = await db
      .with(
        // Materialize the query, so that PostgreSQL applies its limit only once (see `leaseDueRows` in kit/server/retry-queue.ts).
        (cte) => cte('old').materialized(),
        (qb) =>
          qb
            .selectFrom('activations')
            .select('id')
            .where('order_id', 'is', null)
            .where('started_at', '<', toDate(now.subtract({ hours: 24 * retentionDays })))
            .where('lapses_at', '<=', toDate(now))
            .limit(purgeBatchSize)
            .forUpdate()
            .skipLocked(),
      )
      .deleteFrom('activations')
      .where('id', 'in', (from) => from.selectFrom('old').select('id'))
      .returning('session_id')
      .execute()
    await deleteUnneededSessions(db, rows)
    purged = rows.length
  }
}

async function deleteUnneededSessions(db: Db | Trx, rows: { session_id: string }[]): Promise<void> {
  if (rows.length === 0) return
  const { rows: unneededSessions } = await sql<{ id: string }>`
    select id from unnest(${rows.map(({ session_id: id }) => id)}::uuid[]) as given (id)
    where not exists (
      select from activations where session_id = given.id and (ended_at is null or order_id is not null)
    )`.execute(db)
  await deleteAnonymousSessions(
    db,
    unneededSessions.map(({ id }) => id),
  )
}
