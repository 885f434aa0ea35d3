import { sql } from 'kysely'
import { askTogether, untilNextTurn } from './ask-together.ts'
import type { Db } from './db.ts'

/** While the database cannot be asked, it is asked less and less often, up to this. */
const longestLookMs = 2_000

type Watch = { everyMs(): number; wake(name: string): void; onError(error: Error): void }

/** No job waits longer for its next try. */
export const longestWaitSeconds = 60
const bringForwardEveryMs = 30_000

/** Looks over and over which of these queues have a job to take now, and wakes their workers, until stopped. */
export function watchQueues(db: Db, names: string[], { everyMs, wake, onError }: Watch): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let broughtForwardAt = -Infinity
  async function lookNow(): Promise<string[]> {
    if (performance.now() - broughtForwardAt > bringForwardEveryMs) {
      await bringForward(db, names)
      broughtForwardAt = performance.now()
    }
    return findReady(db, names)
  }
  async function look(waitMs: number): Promise<void> {
    const found = await lookNow().catch((error: Error) => {
      if (!stopped) onError(error)
      return null
    })
    if (stopped) return
    found?.forEach(wake)
    const nextMs = found ? everyMs() : Math.min(waitMs * 2, longestLookMs)
    timer = setTimeout(() => void look(nextMs), untilNextTurn(nextMs))
  }
  timer = setTimeout(() => void look(everyMs()), untilNextTurn(everyMs()))
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

const findReady = (db: Db, names: string[]): Promise<string[]> =>
  askTogether(
    db,
    'queues',
    sql<string[]>`array(
      select name from unnest(${names}::text[]) as queue (name)
      where exists (
        select from pgboss.job
        where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now()
      ))`,
  )

/** Jobs that were put down by a clock that has been set back since would wait for as long as it was ahead. */
async function bringForward(db: Db, names: string[]): Promise<void> {
  await sql`
    update pgboss.job set start_after = now()
    where name = any(${names}::text[]) and state < 'active'
      and start_after > now() + ${2 * longestWaitSeconds} * interval '1 second'`.execute(db)
}
