import { AsyncLocalStorage } from 'node:async_hooks'

/** Jobs of a queue that a process does by itself. */
type Own = {
  atOnce: number
  run(data: object): Promise<void>
  waiting: object[]
  running: Set<Promise<void>>
}

/** So many of a queue wait in a process; what comes when more do is left to all processes. */
const mostWaiting = 50
/** So many of them are fetched, of those that wait in their rows: what is sent meanwhile has not to wait for more. */
const mostFetched = 20

/**
 * What this process does by itself as soon as it is committed, without the queue's tables: for jobs that are found again by a row of
 * their own, should the process die over them.
 */
export function createOwnWork() {
  const own = new Map<string, Own>()
  // Whoever has committed a job is not whom it is done for: neither its visitor's share nor its bounds are the job's.
  const byItself = AsyncLocalStorage.snapshot()
  let isStopped = false

  function goOn(queue: Own): void {
    const data = isStopped || queue.running.size >= queue.atOnce ? undefined : queue.waiting.shift()
    if (!data) return
    const running = byItself(() => queue.run(data)).finally(() => {
      queue.running.delete(running)
      goOn(queue)
    })
    queue.running.add(running)
  }

  return {
    /** `run` does not fail: it tells whoever is to know. */
    start(name: string, how: Pick<Own, 'atOnce' | 'run'>): void {
      own.set(name, { ...how, waiting: [], running: new Set() })
    },
    hasRoom(name: string, count: number): boolean {
      const queue = own.get(name)
      return !isStopped && queue !== undefined && queue.waiting.length + count <= mostWaiting
    },
    /** How many more it would fetch; null where it does nothing of a queue by itself. */
    wants(name: string): number | null {
      const queue = own.get(name)
      return queue ? Math.max(0, isStopped ? 0 : mostFetched - queue.waiting.length) : null
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
      isStopped = true
      await Promise.all([...own.values()].flatMap(({ running }) => [...running]))
    },
  }
}
