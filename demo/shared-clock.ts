import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { MovableClock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'

/**
 * Interval in milliseconds at which the shared clock is polled while it is moving. Polling slows down once the clock has been still for a
 * while.
 */
const pollMs = 25
const fastPollingPeriodMs = 10_000
/**
 * Milliseconds after which a process that has stopped polling the clock is considered dead. A process that shuts down removes its own row.
 */
const followerTimeoutMs = 3_000
const followerPollMs = 10
const stopTimeoutMs = 1_000

export type SharedClock = {
  follow(): Promise<void>
  upkeep: Upkeep
  allFollow(offsetMs: number): Promise<void>
  stop(): Promise<void>
}

export function shareClock(db: Db, clock: MovableClock): SharedClock {
  const self = randomUUID()
  const abortController = new AbortController()
  let polling: Promise<void> | null = null
  let movedAt = -Infinity
  let recordedOffset: number | null = null

  async function followSharedClock(): Promise<void> {
    const row = await db.selectFrom('clock').select('offset_ms').executeTakeFirstOrThrow()
    const clockOffsetMs = Number(row.offset_ms)
    if (clockOffsetMs > clock.offset()) {
      clock.setOffset(clockOffsetMs)
      movedAt = performance.now()
    }
    if (recordedOffset !== clock.offset()) await recordOffset(clock.offset())
  }

  async function recordOffset(offset_ms: number): Promise<void> {
    await db
      .insertInto('demo_clock_followers')
      .values({ process: self, offset_ms })
      .onConflict((conflict) => conflict.column('process').doUpdateSet({ offset_ms }))
      .execute()
    recordedOffset = offset_ms
  }

  async function poll(): Promise<void> {
    while (performance.now() - movedAt < fastPollingPeriodMs) {
      await pause(pollMs, undefined, { ref: false, signal: abortController.signal })
      await followSharedClock()
    }
  }

  return {
    follow: followSharedClock,
    upkeep: {
      name: 'demo.clock',
      everyMs: 0,
      isQuick: true,
      isDue: () => sql<boolean>`exists (select from clock where offset_ms > ${clock.offset()})`,
      async run() {
        await followSharedClock()
        // Ignore errors here: the next poll tries again.
        polling ??= poll()
          .catch(() => {})
          .finally(() => (polling = null))
      },
    },
    allFollow: (offsetMs) => waitForFollowers(db, self, offsetMs),
    async stop() {
      abortController.abort()
      const left = Promise.resolve(polling)
        .then(() => removeFollower(db, self))
        .catch(() => {})
      // The application must be able to stop even if the database is unavailable.
      await Promise.race([left, pause(stopTimeoutMs)])
    },
  }
}

async function waitForFollowers(db: Db, self: string, offsetMs: number): Promise<void> {
  const until = performance.now() + followerTimeoutMs
  while (await isAnyProcessBehind(db, self, offsetMs)) {
    if (performance.now() > until) return removeLaggingFollowers(db, self, offsetMs)
    await pause(followerPollMs)
  }
}

const isAnyProcessBehind = async (db: Db, self: string, offsetMs: number): Promise<boolean> =>
  (await db
    .selectFrom('demo_clock_followers')
    .select('process')
    .where('process', '!=', self)
    .where('offset_ms', '<', offsetMs)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Removes processes that have stopped polling the clock. If one of them is still alive, it registers again. */
const removeLaggingFollowers = async (db: Db, self: string, offsetMs: number): Promise<void> =>
  void (await db
    .deleteFrom('demo_clock_followers')
    .where('process', '!=', self)
    .where('offset_ms', '<', offsetMs)
    .execute())

const removeFollower = async (db: Db, self: string): Promise<void> =>
  void (await db.deleteFrom('demo_clock_followers').where('process', '=', self).execute())
