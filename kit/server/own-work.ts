import { AsyncLocalStorage } from 'node:async_hooks'

/** Jobs of a queue that a process does by itself. */
type Own = {
  atOnce: number
  run(data: object): Promise<void>
  waiting: object[]
  running: Set<Promise<void>>
  /** Takes over some of those that wait in their rows, and answers whether there may be more. */
  fetch(): Promise<boolean>
  mayBeMore: boolean
  fetching: Promise<void> | null
  isStopped: boolean
}

/** So many of a queue wait in a process; what comes when more do is left to all processes. */
const mostWaiting = 50
/** So many of them are fetched, of those that wait in their rows: what is sent meanwhile has not to wait for more. */
const mostFetched = 20

/** As soon as nothing waits here: those who were fetched last are still being done while the next come. */
const isToFetch = ({ isStopped, mayBeMore, waiting }: Own): boolean => !isStopped && mayBeMore && waiting.length === 0

async function fetchAll(queue: Own): Promise<void> {
  while (isToFetch(queue)) {
    queue.mayBeMore = false
    // Where it fails, the next round meets the same, and tells of it.
    queue.mayBeMore = (await queue.fetch().catch(() => false)) || queue.mayBeMore
  }
  queue.fetching = null
}

/**
 * What this process does by itself as soon as it is committed, without the queue's tables: for jobs that are found again by a row of
 * their own, should the process die over them.
 */
export function createOwnWork() {
  const own = new Map<string, Own>()
  // Whoever has committed a job is not whom it is done for: neither its visitor's share nor its bounds are the job's.
  const byItself = AsyncLocalStorage.snapshot()

  function goOn(queue: Own): void {
    if (isToFetch(queue)) queue.fetching ??= byItself(() => fetchAll(queue))
    const data = queue.isStopped || queue.running.size >= queue.atOnce ? undefined : queue.waiting.shift()
    if (!data) return
    const running = byItself(() => queue.run(data)).finally(() => {
      queue.running.delete(running)
      goOn(queue)
    })
    queue.running.add(running)
  }

  return {
    /** `run` does not fail: it tells whoever is to know. */
    start(name: string, how: Pick<Own, 'atOnce' | 'run' | 'fetch'>): void {
      own.set(name, { ...how, waiting: [], running: new Set(), mayBeMore: false, fetching: null, isStopped: false })
    },
    /** There may be more of a queue in their rows: they are fetched as soon as nothing waits here. */
    fetchMore(name: string): void {
      const queue = own.get(name)
      if (!queue) return
      queue.mayBeMore = true
      goOn(queue)
    },
    hasRoom(name: string): boolean {
      const queue = own.get(name)
      return queue !== undefined && !queue.isStopped && queue.waiting.length < mostWaiting
    },
    /** How many more it would fetch; null where it does nothing of a queue by itself. */
    wants(name: string): number | null {
      const queue = own.get(name)
      return queue ? Math.max(0, queue.isStopped ? 0 : mostFetched - queue.waiting.length) : null
    },
    add(name: string, data: object): void {
      const queue = own.get(name)
      queue?.waiting.push(data)
      if (queue) goOn(queue)
    },
    unfinished: (): number =>
      [...own.values()].reduce((count, { waiting, running }) => count + waiting.length + running.size, 0),
    /** Answers when what it was at has come to its end; what waited is found again. */
    async stop(): Promise<void> {
      for (const queue of own.values()) queue.isStopped = true
      await Promise.all([...own.values()].flatMap(({ running, fetching }) => [...running, fetching]))
    },
  }
}
