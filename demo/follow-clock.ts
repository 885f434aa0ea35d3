import { setTimeout as pause } from 'node:timers/promises'
import type { MovableClock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

const everyMs = 200

/** Has a process's clock go with the database's, which another process may have moved: forward, as it always goes. */
export function followClock(db: Db, clock: MovableClock): { stop(): void } {
  let stopped = false
  const look = async (): Promise<void> => {
    const row = await db.selectFrom('clock').select('offset_ms').executeTakeFirst()
    if (row && !stopped) clock.setOffset(Math.max(clock.offset(), Number(row.offset_ms)))
  }
  const next = (): void => {
    if (stopped) return
    // A database that is away is told of by those who need it for more than this.
    const timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(next),
      everyMs,
    )
    timer.unref()
  }
  next()
  return {
    stop() {
      stopped = true
    },
  }
}

/** Resolves when every other process has looked, as a rule. */
export const allHaveLooked = (): Promise<void> => pause(3 * everyMs)
