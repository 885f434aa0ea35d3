import { setTimeout as pause } from 'node:timers/promises'
import type { MovableClock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

const everyMs = 200

/** Has a process's clock go with the database's, which another process may have moved: forward, as it always goes. */
export function followClock(db: Db, clock: MovableClock): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function look(): Promise<void> {
    try {
      const row = await db.selectFrom('clock').select('offset_ms').executeTakeFirst()
      if (row && !stopped) clock.setOffset(Math.max(clock.offset(), Number(row.offset_ms)))
    } catch {
      // A database that is away is told of by those who need it for more than this.
    }
    wait()
  }
  function wait(): void {
    if (stopped) return
    timer = setTimeout(() => void look(), everyMs)
    timer.unref()
  }
  wait()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Resolves when every other process has looked, as a rule. */
export const allHaveLooked = (): Promise<void> => pause(3 * everyMs)
