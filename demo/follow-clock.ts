import { setTimeout as pause } from 'node:timers/promises'
import type { MovableClock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'

const everyMs = 200
/** One that moves stops often: for a while after each move it is looked at as often as this. */
const whileMovingMs = 25
const movesForMs = 10_000

/** Has a process's clock go with the database's, which another process may have moved: forward, as it always goes. */
export function followClock(db: Db, clock: MovableClock): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let movedAt = -Infinity
  async function look(): Promise<void> {
    try {
      const row = await db.selectFrom('clock').select('offset_ms').executeTakeFirst()
      const offset = Number(row?.offset_ms ?? 0)
      if (stopped || offset <= clock.offset()) return
      clock.setOffset(offset)
      movedAt = performance.now()
    } catch {
      // A database that is away is told of by those who need it for more than this.
    } finally {
      wait()
    }
  }
  function wait(): void {
    if (stopped) return
    const isMoving = performance.now() - movedAt < movesForMs
    timer = setTimeout(() => void look(), isMoving ? whileMovingMs : everyMs)
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

let lastMovedAt = -Infinity

/** Resolves when every other process has looked, as a rule: to be called after each move. */
export async function allHaveLooked(): Promise<void> {
  const isMoving = performance.now() - lastMovedAt < movesForMs / 2
  lastMovedAt = performance.now()
  await pause(3 * (isMoving ? whileMovingMs : everyMs))
}
