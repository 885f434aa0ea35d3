import { randomUUID } from 'node:crypto'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { FailedJob, JobDefinition } from './job-definitions.ts'
import { sideBySide } from './side-by-side.ts'

/** After this the queue takes a job for failed, and gives it to another worker. */
export const jobExpiresMs = 120_000
// Looking wakes them: this is for the case that it should not.
const polling = { pollingIntervalSeconds: 600, includeMetadata: true } as const

/** One that takes the jobs of a queue, one after the other. */
export type Worker = { id: string; isBusy: boolean }

export type Around = { goesOn(): void; onFailure(job: FailedJob, error: unknown): void }

/**
 * Starts a worker of a queue. It is woken for one job only, and of a heap that arrives at once the rest would lie there until the next
 * look: a worker that has had a job looks for another one at once.
 */
export async function startWorker(
  boss: PgBoss,
  definition: JobDefinition,
  { goesOn, onFailure }: Around,
): Promise<Worker> {
  const { name, run, together = { most: 1, atOnce: 1 } } = definition
  const self: Worker = { id: '', isBusy: false }
  const options = { ...polling, batchSize: together.most, perJobResults: true } as const
  self.id = await boss.work(name, options, async (taken: JobWithMetadata<object>[]) => {
    self.isBusy = true
    goesOn()
    const results: JobResult[] = []
    const left = taken.values()
    try {
      await sideBySide(together.atOnce, async () => {
        const { value: job } = left.next()
        if (job) results.push(await resultOf(job, () => tellOfFailure(job, () => run(job.data as never), onFailure)))
        return job !== undefined
      })
      return results
    } finally {
      self.isBusy = false
      goesOn()
      boss.notifyWorker(self.id)
    }
  })
  return self
}

/** What the queue is told of one job: of those that were taken with it each ends by itself. */
async function resultOf({ id }: { id: string }, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run()
    return { id, status: 'completed' }
  } catch (error) {
    return { id, status: 'failed', output: error }
  }
}

/** One job wants one worker: the one whose turn it is of those that have nothing to do. One that is busy looks again by itself. */
export function wakeOne(boss: PgBoss, workers: Worker[] = []): void {
  const worker = workers.find(({ isBusy }) => !isBusy)
  if (!worker) return
  boss.notifyWorker(worker.id)
  workers.push(...workers.splice(workers.indexOf(worker), 1))
}

type Tried = Pick<JobWithMetadata<object>, 'id' | 'name' | 'retryCount' | 'retryLimit' | 'data'>

/** The queue keeps to itself why a job failed, and that one took too long: whoever has it done is told, once for a try. */
async function tellOfFailure(
  { id, name: queue, retryCount, retryLimit, data }: Tried,
  run: () => Promise<void>,
  onFailure: (job: FailedJob, error: unknown) => void,
): Promise<void> {
  let isTold = false
  const tell = (error: unknown): void => {
    if (isTold) return
    isTold = true
    onFailure({ queue, id, tries: retryCount + 1, isLast: retryCount >= retryLimit, data }, error)
  }
  const timer = setTimeout(() => tell(new Error(`it takes longer than ${jobExpiresMs / 1_000} seconds`)), jobExpiresMs)
  try {
    await run()
  } catch (error) {
    tell(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Has a job done that is in no table: should it fail, it is found by its row, and tried again from there. */
export const doAlone =
  ({ name, run }: JobDefinition, onFailure: Around['onFailure']) =>
  async (data: object): Promise<void> => {
    const job = { id: randomUUID(), name, retryCount: 0, retryLimit: 1, data }
    await tellOfFailure(job, () => run(data as never), onFailure).catch(() => {})
  }
