import { setTimeout as pause } from 'node:timers/promises'
import { type Backlog, backlogOf, countDue, type SweptRows } from './backlog.ts'
import { afterCommit, type Db, type Trx } from './db.ts'
import { createLocalQueue, type LocalQueue } from './local-queue.ts'
import { countFailure, fetchDue, giveBack, type Retries, retryNow, type RowJob } from './retries.ts'

/*
 * Work that is done after the transaction that asked for it. The work is a row with a `retry_at` (retries.ts): the row is all that
 * is stored, and it is found by any process once it is due. To save the wait, the process that commits the row starts its job at once.
 */

/** How one kind of work is done. A job may run twice for the same row, so `run` must be idempotent. */
export type JobDefinition = {
  /** The queue's name. */
  name: string
  run(data: never): Promise<void>
  /** The table of its rows. Without one, jobs are kept in memory, or found by a sweep. */
  retries?: Retries
  /** Starts the jobs of more due rows, where that isn't done by `retries`. Answers whether there may be more. */
  fetch?: () => Promise<boolean>
  /** Jobs of found rows that run at once: so many times as many as of sent ones. */
  foundAtOnce?: number
}

/** The definition of the jobs of a table's rows. */
export const rowJob = (
  retries: Retries,
  run: (row: RowJob) => Promise<void>,
  { foundAtOnce = 1 } = {},
): JobDefinition => ({ name: retries.queue, retries, run, foundAtOnce })

/** A failed try of a job. */
export type FailedJob = {
  queue: string
  data: object
  /** Failed tries of this row so far, where they are counted (`maxTries`); otherwise 1. */
  tries: number
  /** The row has been given up. */
  isLast: boolean
}

export type Jobs = {
  /**
   * Has a row of the caller's transaction worked on. Its job starts in this process right after the commit. If this process does not
   * work the queue or is busy, the row becomes due now, and the next process that looks for due rows takes it.
   * @param until end of the row's lease, in milliseconds of real time, where the caller has just leased it
   */
  send(db: Trx | Db, retries: Retries, key: string, until?: number): Promise<void>
  /** Runs a job that has no row in this process. Returns false, and drops it, where too many wait. */
  sendInMemory(name: string, data: object): boolean
  /** Starts working these queues. `onFailure` is called for each failed try. */
  work(definitions: readonly JobDefinition[], onFailure?: (job: FailedJob, error: unknown) => void): void
  /** How many more found rows of a queue this process can take over now. */
  wants(name: string): number
  /** Starts the job of a found row, of which it `wants` some, after the commit of the transaction that has leased it. */
  takeOver(db: Trx | Db, name: string, data: object): void
  /** Fetches due rows of a queue after the commit, as soon as no found row of it waits in this process. */
  fetchMore(db: Trx | Db, name: string): void
  /** Jobs that wait or run in this process, and rows that wait for any process. */
  unfinished(): Promise<number>
  /** What waits in each queue, for all processes together. */
  backlog(productNow: Temporal.Instant): Promise<Backlog[]>
  /** Whether a job was sent, found or done here in the last seconds: then due rows are looked for more often. */
  isLively(): boolean
  /** Waits for the running jobs, but not for long. The rows of those that have not begun become due now. */
  stop(): Promise<void>
}

/** A job that takes longer is reported, and no longer counts as running. */
const maxJobMs = 120_000
const maxStopMs = 5_000
const livelyMs = 10_000

type Options = {
  /** Every table whose rows are work for later, also of queues that this process doesn't work. */
  tables: readonly (Retries | SweptRows)[]
  /** Sent jobs of each queue that run at once. */
  atOnce: number
}

/** Runs jobs in this process, once `work` has been called. */
export function createJobs(db: Db, { tables, atOnce }: Options): Jobs {
  const queues = new Map<string, LocalQueue>()
  const stoppers: (() => Promise<void>)[] = []
  let livelyUntil = 0
  const onActivity = (): void => void (livelyUntil = performance.now() + livelyMs)
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
        const { name, retries, foundAtOnce = 1, fetch } = definition
        const queue = createLocalQueue({
          run: (data) => runOnce(db, definition, data, onFailure),
          fetch: fetch ?? (async () => (retries ? fetchDue({ db, jobs }, retries) : false)),
          atOnce: { sent: atOnce, found: atOnce * foundAtOnce },
          onActivity,
        })
        queues.set(name, queue)
        stoppers.push(() => queue.stop((waiting) => giveBackAll(db, retries, waiting)))
      }
    },
    wants: (name) => queues.get(name)?.wants() ?? 0,
    takeOver: (trx, name, data) => afterCommit(trx, () => queues.get(name)?.add('found', data)),
    fetchMore: (trx, name) => afterCommit(trx, () => queues.get(name)?.fetchMore()),
    async unfinished() {
      const rows = tables.filter((table) => 'leaseSeconds' in table)
      const due = await countDue(db, rows)
      return [...queues.values()].reduce((count, queue) => count + queue.count(), due)
    },
    backlog: async (productNow) => (await backlogOf(tables, productNow).execute(db)).rows,
    isLively: () => performance.now() < livelyUntil,
    async stop() {
      const stopped = Promise.all(stoppers.map((stop) => stop()))
      await Promise.race([stopped, pause(maxStopMs, undefined, { ref: false })])
    },
  }
  return jobs
}

/** Runs one job. It never rejects: a failure is counted and reported. */
async function runOnce(
  db: Db,
  { name: queue, run, retries }: JobDefinition,
  data: object,
  onFailure: (job: FailedJob, error: unknown) => void,
): Promise<void> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it takes longer than ${maxJobMs / 1_000} seconds`)), maxJobMs)
  try {
    // The queue holds only data that its own job was sent with.
    await Promise.race([run(data as never), tooLong])
  } catch (error) {
    const counted = retries?.maxTries ? await countFailure(db, retries, (data as RowJob).key).catch(() => null) : null
    onFailure({ queue, data, tries: counted?.tries ?? 1, isLast: counted?.isLast ?? false }, error)
  } finally {
    clearTimeout(timer)
  }
}

/** Makes the rows due of jobs that have not begun. Without a database they are found when their leases end. */
async function giveBackAll(db: Db, retries: Retries | undefined, waiting: readonly object[]): Promise<void> {
  if (retries) for (const row of waiting as RowJob[]) await giveBack(db, retries, row).catch(() => {})
}
