import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { transact } from '#kit/server/db.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import { watchSweep } from '#features/alerts/server/watch.store.ts'
import { insertResetRequest, resetRequestQueue } from '#features/auth/server/password-reset-requests.store.ts'
import { rescheduleLinkMail, linkMailQueue } from '#features/change-email/server/change-email.store.ts'
import { forwardErrorJobName } from '#features/error-reports/server/error-events.ts'
import { cycleSweep } from '#features/history/server/cycle-usage.store.ts'
import type { Deps } from './deps.ts'
import { retryQueues } from './work-tables.ts'

/*
 * The previous version kept its jobs in the tables of a library (pg-boss). This module runs those jobs, even while
 * processes of the previous version are still adding more. The next version drops this module, and the version after
 * that drops the tables (decision 0147).
 */

type OldJob = { name: string; data: Record<string, unknown> }
type DrainDeps = Pick<Deps, 'db' | 'jobs' | 'secrets'>

const abandonedAfterSeconds = 120

const isWaiting = sql<boolean>`state < 'active' and not blocked`
const isAbandoned = sql<boolean>`state = 'active' and started_on < now() - ${abandonedAfterSeconds} * interval '1 second'`
const isUnfinished = sql<boolean>`state <= 'active'`

export async function createDrainTasks(
  deps: DrainDeps,
  { isAlone, onError }: { isAlone: boolean; onError(error: unknown, name: string): void },
): Promise<Upkeep[]> {
  if (!(await hasTables(deps.db))) return []
  // If this is the only process and it has only just started, nothing else can be running the unfinished jobs.
  if (isAlone) await drain(deps, isUnfinished).catch((error: unknown) => onError(error, 'jobs.left'))
  return [
    {
      name: 'jobs.left',
      everyMs: 400,
      isDue: () => sql<boolean>`exists (select from pgboss.job where ${isWaiting})`,
      isQuick: true,
      run: () => drain(deps, isWaiting),
    },
    { name: 'jobs.left-behind', everyMs: 60_000, run: () => drain(deps, isAbandoned) },
  ]
}

async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 where to_regclass('pgboss.job') is not null`.execute(db)
  return rows.length > 0
}

async function drain(deps: DrainDeps, which: typeof isWaiting): Promise<void> {
  const failures: unknown[] = []
  const runNextJob = () =>
    transact(deps.db, async (trx) => {
      const job = await takeNextJob(trx, which)
      if (!job) return false
      await sql`savepoint job`.execute(trx)
      try {
        await runOldJob(trx, deps, job)
      } catch (error) {
        if (!isInvalidDataError(error)) throw error
        await sql`rollback to savepoint job`.execute(trx)
        failures.push(error)
      }
      return true
    })
  while (await runNextJob()) continue
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} jobs of the previous version were dropped`)
}

/** True if a job failed because its data is invalid (for the database: SQLSTATE class 22). After any other error, a retry may succeed. */
const isInvalidDataError = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '22'
  return code.startsWith('22')
}

/** Takes an old job, so that no process of the previous version runs it. Both versions skip locked rows. */
async function takeNextJob(trx: Trx, which: typeof isWaiting): Promise<OldJob | undefined> {
  const { rows } = await sql<OldJob>`
    with taken as (
      select name, id from pgboss.job where ${which} order by created_on limit 1 for update skip locked
    )
    delete from pgboss.job using taken where job.name = taken.name and job.id = taken.id
    returning job.name, job.data`.execute(trx)
  return rows[0]
}

const oldKeyNames = ['orderId', 'updateId', 'removalId', 'externalId', 'loadId', 'messageId', 'serviceId', 'refundId']
const keyOf = (data: OldJob['data']): string =>
  String(
    [...oldKeyNames, 'userId', 'changeId', 'night', 'id'].map((name) => data[name]).find((key) => key !== undefined),
  )

async function runOldJob(trx: Trx, { jobs, secrets }: DrainDeps, { name, data }: OldJob): Promise<void> {
  const parseInstantField = (field: string) => Temporal.Instant.from(String(data[field]))
  const { serviceId, until } = data
  switch (name) {
    case resetRequestQueue.queue:
      return jobs.send(
        trx,
        resetRequestQueue,
        await insertOldResetRequest(trx, { sealedNext: secrets.seal('/'), ...data }),
      )
    case linkMailQueue.queue:
      await rescheduleLinkMail(trx, keyOf(data))
      return jobs.send(trx, linkMailQueue, keyOf(data))
    case watchSweep.queue:
      return jobs.takeOver(trx, name, { serviceId, until: parseInstantField('until') })
    case cycleSweep.queue:
      return jobs.takeOver(trx, name, { serviceId, startsAt: parseInstantField('startsAt') })
    case forwardErrorJobName:
      return void jobs.sendInMemory(name, data)
  }
  const retryQueue = retryQueues.find(({ queue }) => queue === name)
  if (retryQueue) return jobs.send(trx, retryQueue, keyOf(data), typeof until === 'number' ? until : undefined)
}

const insertOldResetRequest = (trx: Trx, data: OldJob['data']): Promise<string> =>
  insertResetRequest(
    trx,
    {
      sealed_email: String(data['sealedEmail']),
      sealed_next: String(data['sealedNext']),
      session_id: data['sessionId'] === null ? null : String(data['sessionId']),
    },
    String(data['requestId']),
  )
