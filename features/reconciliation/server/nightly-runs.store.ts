import type { Selectable } from 'kysely'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    nightly_reconciliations: NightlyRunTable
  }
}

type NightlyRunTable = {
  night: string
  since: Date
  begun_at: Date
  after_at: Date | null
  after_id: string | null
  checked: number
  findings: number
  silent: number
  done_at: Date | null
  retry_at: Date | null
  tries: number
}
export type NightlyRun = Selectable<NightlyRunTable>

/** A page of orders takes less time than this, so the lease expires only if the process dies. */
export const nightlyRunQueue: RetryQueue = {
  queue: 'reconciliation.night',
  table: 'nightly_reconciliations',
  key: 'night',
  leaseSeconds: 120,
}

export const findNightlyRun = (db: Db | Trx, night: string): Promise<NightlyRun | undefined> =>
  db.selectFrom('nightly_reconciliations').selectAll().where('night', '=', night).executeTakeFirst()

export const findLastCompletedRun = (db: Db | Trx): Promise<NightlyRun | undefined> =>
  db
    .selectFrom('nightly_reconciliations')
    .selectAll()
    .where('done_at', 'is not', null)
    .orderBy('night', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Records a nightly reconciliation, once for all processes. If an earlier night is unfinished, it is abandoned and the
 * new night covers its orders.
 */
export async function insertNightlyRun(
  trx: Trx,
  { clock }: { clock: Clock },
  { night, since, isOver }: { night: string; since: Temporal.Instant; isOver: boolean },
): Promise<void> {
  const now = toDate(realNow())
  await trx
    .updateTable('nightly_reconciliations')
    .set({ retry_at: null })
    .where('night', '<', night)
    .where('retry_at', 'is not', null)
    .execute()
  await trx
    .insertInto('nightly_reconciliations')
    .values({
      night,
      since: toDate(since),
      begun_at: toDate(clock.now()),
      after_at: null,
      after_id: null,
      checked: 0,
      findings: 0,
      silent: 0,
      done_at: isOver ? now : null,
      retry_at: isOver ? null : now,
      tries: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Saves a nightly reconciliation's progress. Returns `null` if another process has already continued from the same
 * place, or a later night has begun.
 */
export async function saveProgress(
  db: Db,
  { night, checked, retry_at: leased }: NightlyRun,
  page: Pick<NightlyRun, 'after_at' | 'after_id' | 'checked' | 'findings' | 'silent'>,
  next: { isOver: boolean; pauseMs: number },
): Promise<NightlyRun | null> {
  const now = realNow()
  const row = await db
    .updateTable('nightly_reconciliations')
    .set({
      ...page,
      tries: 0,
      done_at: next.isOver ? toDate(now) : null,
      retry_at: next.isOver ? null : toDate(now.add({ milliseconds: next.pauseMs })),
    })
    .where('night', '=', night)
    .where('checked', '=', checked)
    .where('retry_at', '=', leased)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}
