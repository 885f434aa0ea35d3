import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { boundedClient, type BoundedClient } from './bounded-client.ts'
import { type Connections, keepConnections } from './database-connections.ts'
import { connectMs } from './statement-bounds.ts'
import type { StatementNames } from './statement-names.ts'

export type BoundedPool = {
  connect(): Promise<BoundedClient>
  counts(): { total: number; idle: number; waiting: number }
  end(): Promise<void>
}

/**
 * Connections to the host that takes writes, of these. Neither a host that vanishes without a word nor a lock that nobody gives back
 * keeps anybody for long: a statement that takes too long is called off, and where nobody answers, so is every other on that host.
 * `names`: which statements a connection has the server keep, where it may.
 */
export function openBoundedPool(urls: string[], max: number, names?: StatementNames): BoundedPool {
  const kept = keepConnections(urls, max)

  async function take(): Promise<{ client: pg.PoolClient; connections: Connections }> {
    const connections = await kept.find()
    try {
      return { client: await connections.pool.connect(), connections }
    } catch (error) {
      kept.doubt(connections)
      throw error
    }
  }

  /** Ends the connections of commits that are left to themselves. */
  const leftToThemselves = new Set<() => void>()

  /** Nobody uses the connection until its commit has come to its end. */
  function leaveToItself(client: pg.PoolClient, committed: Promise<unknown>): void {
    const end = (): void => void (leftToThemselves.delete(end) && client.release(true))
    leftToThemselves.add(end)
    committed.then(end, end)
  }

  return {
    async connect() {
      const { client, connections } = await inTime(take(), ({ client }) => client.release())
      return boundedClient(client, connections, { kept, leaveToItself, names })
    },
    counts() {
      const pool = kept.current()?.pool
      return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 }
    },
    async end() {
      for (const end of leftToThemselves) end()
      await kept.end()
    },
  }
}

/** What the driver says of a wait for others to give one back. */
const allInUse = 'timeout exceeded when trying to connect'

/** What comes later than it may goes where it came from. */
async function inTime<T>(asked: Promise<T>, giveBack: (late: T) => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = whenAwakeFor(connectMs, () => {
    reject(new Error(allInUse))
    asked.then(giveBack, () => {})
  })
  return Promise.race([asked, late]).finally(timer.clear)
}
