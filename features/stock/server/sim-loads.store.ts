import { randomUUID } from 'node:crypto'
import { type Generated, type Selectable, sql } from 'kysely'
import { type Actor, formatActor } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { randomCode } from '#kit/server/random-code.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import { type SimLoadState, simLoadTransitions } from '../sim-loads.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    sim_loads: SimLoadTable
  }
}

type SimLoadTable = {
  id: string
  state: SimLoadState
  content_hash: string | null
  good_only: boolean
  dry_run: boolean
  asks_first: Generated<boolean>
  file_name: string | null
  actor: string
  lines: number
  last_line: number
  done_line: number
  loaded: number
  bad: number
  created_at: Date
  ended_at: Date | null
  retry_at: Date | null
  leased_by: string | null
}
export type SimLoad = Selectable<SimLoadTable>

/** The worker extends its lease on a SIM load several times before the lease would expire. */
export const simLoadQueue: RetryQueue = { queue: 'stock.load-sims', table: 'sim_loads', key: 'id', leaseSeconds: 6 }

const addSecondsToNow = (seconds: number): Date => toDate(realNow().add({ seconds }))
const computeLeaseEnd = (): Date => addSecondsToNow(simLoadQueue.leaseSeconds)
/** An upload is abandoned when no data has arrived for this many seconds. */
const uploadTimeoutSeconds = 120

export type ImportOptions = {
  actor: Actor
  goodOnly: boolean
  dryRun: boolean
  requiresConfirmation?: boolean
  fileName?: string
}

export async function insertSimLoad(db: Db, now: Temporal.Instant, importOptions: ImportOptions): Promise<string> {
  const id = randomCode(8)
  await db
    .insertInto('sim_loads')
    .values({
      id,
      state: 'receiving',
      content_hash: null,
      good_only: importOptions.goodOnly,
      dry_run: importOptions.dryRun,
      asks_first: importOptions.requiresConfirmation === true,
      file_name: importOptions.fileName ?? null,
      actor: formatActor(importOptions.actor) ?? '',
      lines: 0,
      last_line: 1,
      done_line: 1,
      loaded: 0,
      bad: 0,
      created_at: toDate(now),
      ended_at: null,
      retry_at: addSecondsToNow(uploadTimeoutSeconds),
      leased_by: null,
    })
    .execute()
  return id
}

export const transitionSimLoad = createStateTransition({
  table: 'sim_loads',
  transitions: simLoadTransitions,
  asRead: ['id'],
})

export const findSimLoad = (db: Db | Trx, id: string): Promise<SimLoad | undefined> =>
  db.selectFrom('sim_loads').selectAll().where('id', '=', id).executeTakeFirst()

export const findSimLoadByHash = (db: Db | Trx, contentHash: string): Promise<SimLoad | undefined> =>
  db
    .selectFrom('sim_loads')
    .selectAll()
    .where('content_hash', '=', contentHash)
    .where('dry_run', '=', false)
    .where('state', 'in', ['checking', 'waiting', 'loading', 'withdrawing', 'loaded'])
    .executeTakeFirst()

export const listSimLoads = (db: Db, limit: number): Promise<SimLoad[]> =>
  db
    .selectFrom('sim_loads')
    .selectAll()
    .where('state', '<>', 'broken_off')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** A SIM load is abandoned if staff have not decided about it within this many days. */
const maxDecisionDays = 7

export const buildDecisionWaitFields = (): Pick<SimLoad, 'retry_at' | 'leased_by'> => ({
  retry_at: addSecondsToNow(maxDecisionDays * 86_400),
  leased_by: null,
})

export async function countReceivedLines(
  trx: Trx,
  id: string,
  came: { lines: number; lastLine: number; bad: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sim_loads')
    .set({
      lines: sql`lines + ${came.lines}`,
      bad: sql`bad + ${came.bad}`,
      last_line: came.lastLine,
      retry_at: addSecondsToNow(uploadTimeoutSeconds),
    })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function leaseSimLoad(db: Db, id: string): Promise<string | null> {
  const worker = randomUUID()
  const { numUpdatedRows } = await db
    .updateTable('sim_loads')
    .set({ leased_by: worker, retry_at: computeLeaseEnd() })
    .where('id', '=', id)
    .where('retry_at', '<=', toDate(realNow()))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? worker : null
}

export async function extendLease(db: Db, id: string, worker: string): Promise<void> {
  await db
    .updateTable('sim_loads')
    .set({ retry_at: computeLeaseEnd() })
    .where('id', '=', id)
    .where('leased_by', '=', worker)
    .where('retry_at', 'is not', null)
    .execute()
}

export const lockLeasedLoad = (trx: Trx, id: string, worker: string): Promise<SimLoad | undefined> =>
  trx
    .selectFrom('sim_loads')
    .selectAll()
    .where('id', '=', id)
    .where('leased_by', '=', worker)
    .forUpdate()
    .executeTakeFirst()

type SimLoadProgress = Partial<Pick<SimLoad, 'done_line' | 'loaded' | 'bad' | 'retry_at'>>

export async function updateSimLoad(trx: Trx, id: string, progress: SimLoadProgress): Promise<void> {
  await trx.updateTable('sim_loads').set(progress).where('id', '=', id).execute()
}

export async function deleteSimLoad(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('sim_loads').where('id', '=', id).execute()
}

export async function listDueLoads(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sim_loads')
    .select('id')
    .where('retry_at', '<=', toDate(realNow()))
    .orderBy('retry_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
