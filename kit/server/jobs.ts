import { setTimeout as pause } from 'node:timers/promises'
import { type Backlog, backlogQuery, countDueRows, type SweptTable } from './backlog.ts'
import { afterCommit, type Db, type Trx } from './db.ts'
import { createLocalQueue, type LocalQueue } from './local-queue.ts'
import { countFailure, fetchDueRows, releaseLease, type RetryQueue, retryNow, type RowJob } from './retry-queue.ts'

/*
 * Jobs run after the transaction that requested them. A job is stored only as a row with a `retry_at` (retry-queue.ts), which any process
 * can find once it is due. To avoid that wait, the process that commits the row starts its job immediately.
 */

/** Defines one kind of job. A job may run twice for the same row, so `run` must be idempotent. */
export type JobDefinition = {
  name: string
  run(data: never): Promise<void>
  /** The table with the job's rows. If there is no table, jobs are kept in memory or found by a sweep. */
  retries?: RetryQueue
  /**
   * Finds more due rows and starts their jobs. By default, the rows of `retries` are searched. Resolves to true if more rows may be due.
   */
  fetch?: () => Promise<boolean>
  foundMultiplier?: number
}

export const createRowJob = (
  retries: RetryQueue,
  run: (row: RowJob) => Promise<void>,
  { foundMultiplier = 1 } = {},
): JobDefinition => ({ name: retries.queue, retries, run, foundMultiplier })

export type FailedJob = {
  queue: string
  data: object
  /** Number of failed attempts for this row so far, if they are counted (`maxTries`); otherwise 1. */
  tries: number
  isLast: boolean
}

export type Jobs = {
  /**
   * Requests a row's job in the caller's transaction. The job starts in this process right after the commit. If this process does not work
   * on the queue or is busy, the row becomes due immediately, and the next process that looks for due rows takes it.
   * @param until when the row's lease expires, in milliseconds of real time, if the caller has just leased the row
   */
  send(db: Trx | Db, retries: RetryQueue, key: string, until?: number): Promise<void>
  /** Runs a job that has no row, in this process. Returns false and drops the job if too many jobs are waiting. */
  sendInMemory(name: string, data: object): boolean
  work(definitions: readonly JobDefinition[], onFailure?: (job: FailedJob, error: unknown) => void): void
  wants(name: string): number
  /** Starts a due row's job once the transaction that leased the row has been committed. The caller must check `wants` first. */
  takeOver(db: Trx | Db, name: string, data: object): void
  fetchMore(db: Trx | Db, name: string): void
  unfinished(): Promise<number>
  backlog(productNow: Temporal.Instant): Promise<Backlog[]>
  isLively(): boolean
  /** Stops starting jobs, and waits a few seconds at most for running jobs. Rows whose jobs have not started become due immediately. */
  stop(): Promise<void>
}

/** Milliseconds after which a running job is reported and no longer counted as running. */
const maxJobMs = 120_000
const maxStopMs = 5_000
const recentActivityMs = 10_000

type Options = {
  /** All retry queues, and the swept tables whose backlog is reported, including queues that this process does not work on. */
  tables: readonly (RetryQueue | SweptTable)[]
  atOnce: number
}

export function createJobs(db: Db, { tables, atOnce }: Options): Jobs {
  const queues = new Map<string, LocalQueue>()
  const stopCallbacks: (() => Promise<void>)[] = []
  let activeUntil = 0
  const markActive = (): void => void (activeUntil = performance.now() + recentActivityMs)
  const hasRoom = (name: string): boolean => queues.get(name)?.hasRoom() === true

  const jobs: Jobs = {
    async send(trx, retries, key, until) {
      const row: RowJob = { key, ...(until !== undefined && { until }) }
      if (!hasRoom(retries.queue)) return void (await retryNow(trx, retries, { [retries.key]: key }))
      afterCommit(trx, () => queues.get(retries.queue)?.add('sent', row))
    },
    sendInMemory(name, data) {
      if (!hasRoom(name)) return false
      queues.get(name)?.add('sent', data)
      return true
    },
    work(definitions, onFailure = () => {}) {
      for (const definition of definitions) {
        const { name, retries, foundMultiplier = 1, fetch } = definition
        const queue = createLocalQueue({
          run: (data) => runJob(db, definition, data, onFailure),
          fetch: fetch ?? (async () => (retries ? fetchDueRows({ db, jobs }, retries) : false)),
          atOnce: { sent: atOnce, found: atOnce * foundMultiplier },
          onActivity: markActive,
        })
        queues.set(name, queue)
        stopCallbacks.push(() => queue.stop((waiting) => releaseLeases(db, retries, waiting)))
      }
    },
    wants: (name) => queues.get(name)?.wants() ?? 0,
    takeOver: (trx, name, data) => afterCommit(trx, () => queues.get(name)?.add('found', data)),
    fetchMore: (trx, name) => afterCommit(trx, () => queues.get(name)?.fetchMore()),
    async unfinished() {
      const rows = tables.filter((table) => 'leaseSeconds' in table)
      const due = await countDueRows(db, rows)
      return [...queues.values()].reduce((count, queue) => count + queue.count(), due)
    },
    backlog: async (productNow) => (await backlogQuery(tables, productNow).execute(db)).rows,
    isLively: () => performance.now() < activeUntil,
    async stop() {
      const stopPromise = Promise.all(stopCallbacks.map((stop) => stop()))
      await Promise.race([stopPromise, pause(maxStopMs, undefined, { ref: false })])
    },
  }
  return jobs
}

/** Runs one job. It never rejects; a failure is counted and reported. */
async function runJob(
  db: Db,
  { name: queue, run, retries }: JobDefinition,
  data: object,
  onFailure: (job: FailedJob, error: unknown) => void,
): Promise<void> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it takes longer than ${maxJobMs / 1_000} seconds`)), maxJobMs)
  try {
    await Promise.race([run(data as never), tooLong])
  } catch (error) {
    const failureCount = retries?.maxTries
      ? await countFailure(db, retries, (data as RowJob).key).catch(() => null)
      : null
    onFailure({ queue, data, tries: failureCount?.tries ?? 1, isLast: failureCount?.isLast ?? false }, error)
  } finally {
    clearTimeout(timer)
  }
}

async function releaseLeases(db: Db, retries: RetryQueue | undefined, waiting: readonly object[]): Promise<void> {
  if (retries) for (const row of waiting as RowJob[]) await releaseLease(db, retries, row).catch(() => {})
}
