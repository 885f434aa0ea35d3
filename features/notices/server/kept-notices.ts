import type { Clock } from '#kit/server/clock.ts'
import type { AwayLog } from '#kit/server/database-away.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import { type Notice, standingNotices } from './notices.store.ts'

type Deps = { db: Db; clock: Clock; log: Log; isAway: AwayLog['note']; thresholds: { noticesKeptMs: number } }

const longestWaitMs = 1_000

/**
 * Caches the current notices for 15 seconds, with one query for all pages of a process. If the query fails, pages show
 * the cached notices. In the demo, the notices are also reloaded when the clock was moved.
 */
export function keepNotices({ db, clock, log, isAway, thresholds }: Deps): () => Promise<Notice[]> {
  let known: Notice[] = []
  let next = { at: -Infinity, offset: 0 }
  let underWay: Promise<void> | null = null

  const read = (): Promise<void> =>
    standingNotices(db, clock.now()).then(
      (notices) => void (known = notices),
      (error: unknown) => {
        if (!isAway(error)) log.warn({ reason: String(error) }, 'the notices of the portal could not be read')
      },
    )
  function ask(): Promise<void> {
    // Counted from the query's start, so that a notice posted during the query is not missed for longer.
    next = { at: performance.now() + thresholds.noticesKeptMs, offset: clock.offset() }
    return inTime(read()).finally(() => (underWay = null))
  }

  return async () => {
    if (performance.now() >= next.at || clock.offset() !== next.offset) underWay ??= ask()
    await underWay
    const now = clock.now().epochMilliseconds
    return known.filter(({ ends_at: ends }) => ends.getTime() > now)
  }
}

function inTime(asked: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, longestWaitMs)
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
