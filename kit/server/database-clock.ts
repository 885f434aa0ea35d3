import { sql } from 'kysely'
import { hostNow, isRealTimeLearnt, learnRealTime, realNow } from './clock.ts'
import type { Db } from './db.ts'

/** Milliseconds; less is left alone: it is about what a busy machine takes to answer, and time must not go to and fro. */
export const negligibleMs = 500

/** Pause between two questions of a running process. */
const askEveryMs = 5_000

/** How far another clock is ahead of the database's, and how much that may be wrong by, either way. */
export type ClockReading = { aheadMs: number; uncertainMs: number }

/**
 * Asks the database for its time, has this process go by it, and answers how the host's clock stands to it. What it goes by already
 * stays where the answer, which may have taken a while either way, does not contradict it; at first that is the host's clock as it
 * is at this moment: should somebody set it later, nothing of this process moves.
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

/** Asks again and again until stopped, and tells what came of it. While nobody answers, time goes on by what was known. */
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
