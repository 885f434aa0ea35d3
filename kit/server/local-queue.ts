import { AsyncLocalStorage } from 'node:async_hooks'

const maxWaitingSentJobs = 50
const maxWaitingFoundJobs = 20

type JobLane = { waiting: object[]; running: Set<Promise<void>>; atOnce: number }
const createLane = (atOnce: number): JobLane => ({ waiting: [], running: new Set(), atOnce })

type Options = {
  /** Runs one job. It must not reject. */
  run(data: object): Promise<void>
  fetch(): Promise<boolean>
  atOnce: { sent: number; found: number }
  onActivity(): void
}

type QueueState = { isStopped: boolean; mayBeMore: boolean; fetching: Promise<void> | null }

async function fetchUntilEmpty(state: QueueState, shouldFetch: () => boolean, fetch: Options['fetch']): Promise<void> {
  while (shouldFetch()) {
    state.mayBeMore = false
    // The error is ignored here, because the periodic upkeep will run into the same failure and report it.
    state.mayBeMore = (await fetch().catch(() => false)) || state.mayBeMore
  }
  state.fetching = null
}

export type LocalQueue = ReturnType<typeof createLocalQueue>

/**
 * Runs one queue's jobs in this process. Requested jobs and jobs for due rows wait in separate lanes: a customer is waiting for a requested
 * job, so thousands of due rows must not delay it.
 */
export function createLocalQueue({ run, fetch, atOnce, onActivity }: Options) {
  const lanes = { sent: createLane(atOnce.sent), found: createLane(atOnce.found) }
  const { sent, found } = lanes
  // A job must not inherit the statement timeouts or the connection quota of the request that triggered it.
  const withoutRequestContext = AsyncLocalStorage.snapshot()
  const state: QueueState = { isStopped: false, mayBeMore: false, fetching: null }

  const canStartJob = ({ running, atOnce: most }: JobLane): boolean => !state.isStopped && running.size < most
  const shouldFetch = (): boolean => !state.isStopped && state.mayBeMore && found.waiting.length === 0

  function startWaitingJobs(line: JobLane): void {
    fetchJobsIfEmpty()
    while (canStartJob(line)) {
      const data = line.waiting.shift()
      if (!data) return
      const running = withoutRequestContext(() => run(data)).finally(() => {
        line.running.delete(running)
        onActivity()
        startWaitingJobs(line)
      })
      line.running.add(running)
    }
  }

  function fetchJobsIfEmpty(): void {
    if (shouldFetch()) state.fetching ??= withoutRequestContext(() => fetchUntilEmpty(state, shouldFetch, fetch))
  }

  const drainWaitingJobs = (): object[] => [...sent.waiting.splice(0), ...found.waiting.splice(0)]

  return {
    hasRoom: (): boolean => !state.isStopped && sent.waiting.length < maxWaitingSentJobs,
    wants: (): number => (state.isStopped ? 0 : Math.max(0, maxWaitingFoundJobs - found.waiting.length)),
    add(how: 'sent' | 'found', data: object): void {
      onActivity()
      lanes[how].waiting.push(data)
      startWaitingJobs(lanes[how])
    },
    fetchMore(): void {
      onActivity()
      state.mayBeMore = true
      fetchJobsIfEmpty()
    },
    count: (): number =>
      [sent, found].reduce((count, { waiting, running }) => count + waiting.length + running.size, 0),
    /** Stops the queue: starts no more jobs, passes the waiting jobs to `giveBack`, and waits for the running jobs. */
    async stop(giveBack: (waiting: readonly object[]) => Promise<void>): Promise<void> {
      state.isStopped = true
      await giveBack(drainWaitingJobs())
      await Promise.all([state.fetching, ...sent.running, ...found.running])
      // More jobs may have been added while the running jobs finished.
      await giveBack(drainWaitingJobs())
    },
  }
}
