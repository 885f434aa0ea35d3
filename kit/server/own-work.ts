import { AsyncLocalStorage } from 'node:async_hooks'

/** Some that wait for their turn, in their order. */
type Line = { waiting: object[]; running: Set<Promise<void>>; atOnce: number }

/** Jobs of a queue that a process does by itself. */
type Own = {
  run(data: object): Promise<void>
  /** Takes over some of those that wait in their rows, and answers whether there may be more. */
  fetch(): Promise<boolean>
  mayBeMore: boolean
  fetching: Promise<void> | null
  isStopped: boolean
  /** What was sent here does not stand behind what was fetched: that is a night's, or has been tried before. */
  sent: Line
  fetched: Line
}

/** So many of a queue wait in a process; what comes when more do is left to all processes. */
const mostWaiting = 50
/** So many of them are fetched at most, of those that wait in their rows: the rest is there for all processes. */
const mostFetched = 20

const aLine = (atOnce: number): Line => ({ waiting: [], running: new Set(), atOnce })

const linesOf = ({ sent, fetched }: Own): Line[] => [sent, fetched]
const runningOf = ({ running }: Line): Promise<void>[] => [...running]

/** As soon as nothing waits here: those who were fetched last are still being done while the next come. */
const isToFetch = ({ isStopped, mayBeMore, fetched }: Own): boolean =>
  !isStopped && mayBeMore && fetched.waiting.length === 0

async function fetchAll(queue: Own): Promise<void> {
  while (isToFetch(queue)) {
    queue.mayBeMore = false
    // Where it fails, the next round meets the same, and tells of it.
    queue.mayBeMore = (await queue.fetch().catch(() => false)) || queue.mayBeMore
  }
  queue.fetching = null
}

/** How those of a queue are begun, whoever has told of them. */
function working() {
  // Whoever has committed a job is not whom it is done for: neither its visitor's share nor its bounds are the job's.
  const byItself = AsyncLocalStorage.snapshot()

  function fetchOf(queue: Own): void {
    if (isToFetch(queue)) queue.fetching ??= byItself(() => fetchAll(queue))
  }

  function goOn(queue: Own, line: Line): void {
    fetchOf(queue)
    const data = queue.isStopped || line.running.size >= line.atOnce ? undefined : line.waiting.shift()
    if (!data) return
    const running = byItself(() => queue.run(data)).finally(() => {
      line.running.delete(running)
      goOn(queue, line)
    })
    line.running.add(running)
  }

  return { goOn, fetchOf }
}

/**
 * What this process does by itself as soon as it is committed, without the queue's tables: for jobs that are found again by a row of
 * their own, should the process die over them.
 */
export function createOwnWork() {
  const own = new Map<string, Own>()
  const { goOn, fetchOf } = working()

  return {
    /**
     * So many are done at once of those that are sent, and of those that are fetched.
     * @param how `run` does not fail: it tells whoever is to know
     */
    start(name: string, atOnce: { sent: number; fetched: number }, how: Pick<Own, 'run' | 'fetch'>): void {
      const [sent, fetched] = [aLine(atOnce.sent), aLine(atOnce.fetched)]
      own.set(name, { ...how, sent, fetched, mayBeMore: false, fetching: null, isStopped: false })
    },
    /** There may be more of a queue in their rows: they are fetched as soon as nothing waits here. */
    fetchMore(name: string): void {
      const queue = own.get(name)
      if (!queue) return
      queue.mayBeMore = true
      fetchOf(queue)
    },
    hasRoom(name: string): boolean {
      const queue = own.get(name)
      return queue !== undefined && !queue.isStopped && queue.sent.waiting.length < mostWaiting
    },
    /** How many more it would fetch; null where it does nothing of a queue by itself. */
    wants(name: string): number | null {
      const queue = own.get(name)
      return queue ? Math.max(0, queue.isStopped ? 0 : mostFetched - queue.fetched.waiting.length) : null
    },
    add(name: string, data: object, how: 'sent' | 'fetched'): void {
      const queue = own.get(name)
      queue?.[how].waiting.push(data)
      if (queue) goOn(queue, queue[how])
    },
    unfinished: (): number =>
      [...own.values()]
        .flatMap(linesOf)
        .reduce((count, { waiting, running }) => count + waiting.length + running.size, 0),
    /** Answers when what it was at has come to its end; what waited is found again. */
    async stop(): Promise<void> {
      for (const queue of own.values()) queue.isStopped = true
      const underWay = [...own.values()].flatMap((queue) => [queue.fetching, ...linesOf(queue).flatMap(runningOf)])
      await Promise.all(underWay)
    },
  }
}
