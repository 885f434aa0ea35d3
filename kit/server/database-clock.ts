import { sql } from 'kysely'
import { hostNow, isRealTimeLearnt, learnRealTime, realNow } from './clock.ts'
import type { Db } from './db.ts'

/** Milliseconds. Smaller differences are ignored: a busy machine takes about that long to answer, and time must not go back and forth. */
export const negligibleMs = 500

const askEveryMs = 5_000

/** Milliseconds that another clock is ahead of the database's, and the possible error in either direction. */
export type ClockReading = { aheadMs: number; uncertainMs: number }

/**
 * Reads the database's time, adjusts this process's real time, and returns the host clock's offset. Real time stays as it is unless the
 * reading contradicts it. The first call starts from the host's clock at that moment, so setting that clock later moves nothing in this
 * process.
 */
export const learnDatabaseTime = async (db: Db): Promise<ClockReading> => learnFrom(await askTime(db))

type Told = { ms: number; asked: number; answered: number }

async function askTime(db: Db): Promise<Told> {
  const asked = performance.now()
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  return { ms: Number(rows[0]?.ms), asked, answered: performance.now() }
}

function learnFrom({ ms, asked, answered }: Told): ClockReading {
  const host = hostNow().epochMilliseconds
  const uncertainMs = (answered - asked) / 2
  const databaseMs = ms + uncertainMs
  const known = isRealTimeLearnt() ? realNow().epochMilliseconds : host
  const isRight = Math.abs(databaseMs - known) <= negligibleMs + uncertainMs
  if (!isRight || !isRealTimeLearnt()) learnRealTime({ databaseMs: isRight ? known : databaseMs, ownMs: answered })
  return { aheadMs: host - databaseMs, uncertainMs }
}

/** While the database does not answer, time continues from the last reading. */
export function followDatabaseTime(
  db: Db,
  { hear, onError }: { hear(host: ClockReading): void; onError(error: unknown): void },
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> = Promise.resolve()
  const wait = (): void => {
    timer = setTimeout(() => {
      asking = askTime(db)
        .then((told) => hear(learnFrom(told)))
        .catch((error: unknown) => {
          if (!stopped) onError(error)
        })
        .finally(() => {
          if (!stopped) wait()
        })
    }, askEveryMs).unref()
  }
  wait()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await asking
    },
  }
}
