import { sql } from 'kysely'
import type { Db } from './db.ts'

/** While the database cannot be asked, it is asked less and less often, up to this. */
const longestLookMs = 2_000

type Watch = { everyMs: number; wake(name: string): void; onError(error: Error): void }

/** Looks over and over which of these queues have a job to take now, and wakes their workers, until stopped. */
export function watchQueues(db: Db, names: string[], { everyMs, wake, onError }: Watch): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function look(waitMs: number): Promise<void> {
    const found = await findReady(db, names).catch((error: Error) => {
      if (!stopped) onError(error)
      return null
    })
    if (stopped) return
    found?.forEach(wake)
    const nextMs = found ? everyMs : Math.min(waitMs * 2, longestLookMs)
    timer = setTimeout(() => void look(nextMs), nextMs)
  }
  timer = setTimeout(() => void look(everyMs), everyMs)
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

async function findReady(db: Db, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as queue (name)
    where exists (
      select from pgboss.job
      where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now()
    )`.execute(db)
  return rows.map(({ name }) => name)
}
