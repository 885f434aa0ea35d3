import { sql } from 'kysely'
import { hostNow, hasDatabaseTime, setRealTime, realNow } from './clock.ts'
import type { Db } from './db.ts'

/**
 * Clock differences of up to this many milliseconds are ignored. A busy machine can take that long to respond, and time must not jump back
 * and forth.
 */
export const clockToleranceMs = 500

const pollEveryMs = 5_000

/** How many milliseconds a clock is ahead of the database's, and the margin of error in either direction. */
export type ClockReading = { aheadMs: number; uncertainMs: number }

/**
 * Reads the database's time and returns how far the host's clock is ahead of it. Adjusts this process's real time only if the reading
 * contradicts it. Real time is anchored by the first call, so changing the host's clock later has no effect on this process.
 */
export const syncDatabaseTime = async (db: Db): Promise<ClockReading> => applyDatabaseTime(await queryDatabaseTime(db))

type DatabaseTime = { ms: number; asked: number; answered: number }

async function queryDatabaseTime(db: Db): Promise<DatabaseTime> {
  const asked = performance.now()
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  return { ms: Number(rows[0]?.ms), asked, answered: performance.now() }
}

function applyDatabaseTime({ ms, asked, answered }: DatabaseTime): ClockReading {
  const host = hostNow().epochMilliseconds
  const maxClockErrorMs = (answered - asked) / 2
  const databaseMs = ms + maxClockErrorMs
  const currentMs = hasDatabaseTime() ? realNow().epochMilliseconds : host
  const isWithinTolerance = Math.abs(databaseMs - currentMs) <= clockToleranceMs + maxClockErrorMs
  if (!isWithinTolerance || !hasDatabaseTime())
    setRealTime({ databaseMs: isWithinTolerance ? currentMs : databaseMs, ownMs: answered })
  return { aheadMs: host - databaseMs, uncertainMs: maxClockErrorMs }
}

/**
 * Reads the database's time at regular intervals until stopped. While the database is unavailable, time continues from the last reading.
 */
export function pollDatabaseTime(
  db: Db,
  { hear, onError }: { hear(host: ClockReading): void; onError(error: unknown): void },
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  const schedulePoll = (): void => {
    timer = setTimeout(() => {
      polling = queryDatabaseTime(db)
        .then((told) => hear(applyDatabaseTime(told)))
        .catch((error: unknown) => {
          if (!stopped) onError(error)
        })
        .finally(() => {
          if (!stopped) schedulePoll()
        })
    }, pollEveryMs).unref()
  }
  schedulePoll()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await polling
    },
  }
}
