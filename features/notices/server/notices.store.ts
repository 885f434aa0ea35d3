import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { NoticeKind } from '../notices.contract.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    notices: NoticeTable
  }
}

type NoticeTable = {
  id: string
  kind: NoticeKind
  staff_id: string
  said_at: Date
  ends_at: Date
  ended_at: Date | null
}
export type Notice = Pick<Selectable<NoticeTable>, 'id' | 'kind' | 'said_at' | 'ends_at'>

export const listActiveNotices = (db: Db | Trx, now: Temporal.Instant): Promise<Notice[]> =>
  db
    .selectFrom('notices')
    .select(['id', 'kind', 'said_at', 'ends_at'])
    .where('ended_at', 'is', null)
    .where('ends_at', '>', toDate(now))
    .orderBy('said_at')
    .orderBy('kind')
    .execute()

type NewNotice = { kind: NoticeKind; staffId: string; now: Temporal.Instant; ends: Temporal.Instant }

/**
 * Posts a notice and returns its id, or `null` if a notice of this kind is already active. First marks any expired notice
 * of the same kind as ended.
 */
export async function insertNotice(trx: Trx, { kind, staffId, now, ends }: NewNotice): Promise<string | null> {
  await trx
    .updateTable('notices')
    .set(({ ref }) => ({ ended_at: ref('ends_at') }))
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .where('ends_at', '<=', toDate(now))
    .execute()
  const row = await trx
    .insertInto('notices')
    .values({
      id: randomUUID(),
      kind,
      staff_id: staffId,
      said_at: toDate(now),
      ends_at: toDate(ends),
      ended_at: null,
    })
    .onConflict((conflict) => conflict.column('kind').where('ended_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export const endNotice = (trx: Trx, id: string, now: Temporal.Instant) =>
  trx
    .updateTable('notices')
    .set({ ended_at: toDate(now) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', toDate(now))
    .returning('kind')
    .executeTakeFirst()

export const extendNotice = (trx: Trx, id: string, { now, ends }: { now: Temporal.Instant; ends: Temporal.Instant }) =>
  trx
    .updateTable('notices')
    .set({ ends_at: toDate(ends) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', toDate(now))
    .where('ends_at', '<', toDate(ends))
    .returning('kind')
    .executeTakeFirst()
