import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { askTogether, untilNextTurn } from '#kit/server/ask-together.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { idleLookMs } from '#kit/server/sweeps.ts'

/** A clock that moves stops often: for a while after each move it is looked at as often as this. */
const whileMovingMs = 25
const movesForMs = 10_000
/** Who has not followed by then is gone without a word; an end by itself takes the word back. */
const goneMs = 3_000
const askAgainMs = 10
const stopMs = 1_000

export type SharedClock = {
  /** Goes with the database's clock, which another process may have moved: forward, as it always goes. */
  follow(): void
  /** Resolves once every other process that follows goes by a clock that was moved to this. */
  allFollow(offsetMs: number): Promise<void>
  stop(): Promise<void>
}

/** A clock that several processes go by: each writes down how far it has followed, and who moves it waits for the others. */
export function shareClock(db: Db, clock: MovableClock): SharedClock {
  const self = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let stopped = false
  let movedAt = -Infinity
  let told: number | null = null

  async function look(): Promise<void> {
    try {
      const offset = Number(await askTogether(db, 'clock', sql<string>`(select offset_ms from clock)`))
      if (offset > clock.offset()) {
        clock.setOffset(offset)
        movedAt = performance.now()
      }
      if (told !== clock.offset()) await tell(clock.offset())
    } catch {
      // A database that is away is told of by those who need it for more than this.
    }
    if (stopped) return
    const isMoving = performance.now() - movedAt < movesForMs
    timer = setTimeout(lookNow, untilNextTurn(isMoving ? whileMovingMs : idleLookMs)).unref()
  }
  const lookNow = (): void => void (looking = look())

  async function tell(offset_ms: number): Promise<void> {
    await db
      .insertInto('demo_clock_followers')
      .values({ process: self, offset_ms })
      .onConflict((conflict) => conflict.column('process').doUpdateSet({ offset_ms }))
      .execute()
    told = offset_ms
  }

  return {
    follow: lookNow,
    async allFollow(offsetMs) {
      const until = performance.now() + goneMs
      while (await isAnyBehind(db, self, offsetMs)) {
        if (performance.now() > until) return forgetBehind(db, self, offsetMs)
        await pause(askAgainMs)
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      const left = looking.then(() => forget(db, self)).catch(() => {})
      // A database that is not there is not waited for.
      await Promise.race([left, pause(stopMs)])
    },
  }
}

const isAnyBehind = async (db: Db, self: string, offsetMs: number): Promise<boolean> =>
  (await db
    .selectFrom('demo_clock_followers')
    .select('process')
    .where('process', '!=', self)
    .where('offset_ms', '<', offsetMs)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Should one of them be there all the same, it writes itself down again. */
const forgetBehind = async (db: Db, self: string, offsetMs: number): Promise<void> =>
  void (await db
    .deleteFrom('demo_clock_followers')
    .where('process', '!=', self)
    .where('offset_ms', '<', offsetMs)
    .execute())

const forget = async (db: Db, self: string): Promise<void> =>
  void (await db.deleteFrom('demo_clock_followers').where('process', '=', self).execute())
