import type { Clock } from '#kit/server/clock.ts'
import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Db } from '#kit/server/db.ts'
import type { Log } from '#kit/server/log.ts'
import { type Notice, listActiveNotices } from './notices.store.ts'

type CachedNoticesDeps = {
  db: Db
  clock: Clock
  log: Log
  noteOutage: DatabaseOutageLog['note']
  thresholds: { noticesKeptMs: number }
}

const maxWaitMs = 1_000

/**
 * Caches the active notices for 15 seconds, so that a single query serves all of a process's pages. If the query fails,
 * pages show the notices cached earlier. In the demo, moving the clock also reloads the notices.
 */
export function createNoticeCache({
  db,
  clock,
  log,
  noteOutage,
  thresholds,
}: CachedNoticesDeps): () => Promise<Notice[]> {
  let cachedNotices: Notice[] = []
  let nextRead = { at: -Infinity, offset: 0 }
  let pendingRead: Promise<void> | null = null

  const readNotices = (): Promise<void> =>
    listActiveNotices(db, clock.now()).then(
      (notices) => void (cachedNotices = notices),
      (error: unknown) => {
        if (!noteOutage(error)) log.warn({ reason: String(error) }, 'the notices of the portal could not be read')
      },
    )
  function refreshNotices(): Promise<void> {
    // The cache's lifetime counts from the start of the query, so that a notice posted during the query still appears in time.
    nextRead = { at: performance.now() + thresholds.noticesKeptMs, offset: clock.offset() }
    return withTimeout(readNotices()).finally(() => (pendingRead = null))
  }

  return async () => {
    if (performance.now() >= nextRead.at || clock.offset() !== nextRead.offset) pendingRead ??= refreshNotices()
    await pendingRead
    const now = clock.now().epochMilliseconds
    return cachedNotices.filter(({ ends_at: ends }) => ends.getTime() > now)
  }
}

function withTimeout(pendingRefresh: Promise<void>): Promise<void> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, maxWaitMs)
  return Promise.race([pendingRefresh, timedOut]).finally(() => clearTimeout(timer))
}
