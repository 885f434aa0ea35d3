import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { boundedClient } from './bounded-client.ts'
import {
  allInUse,
  areBoundsKept,
  type Connections,
  isAllInUse,
  isBoundsRefusal,
  keepConnections,
} from './database-connections.ts'
import { boundsInForce, connectMs, sessionBounds, usualBounds } from './statement-bounds.ts'
import type { StatementNames } from './statement-names.ts'
import { createShares } from './visitor-share.ts'

export type BoundedPool = {
  connect(): Promise<PostgresPoolClient>
  end(): Promise<void>
  options: object
  counts(): { total: number; idle: number; waiting: number }
  /** False behind a pooler that refuses or ignores session settings, because its sessions are shared. */
  hasSessionBounds(): boolean
}

/**
 * Connects to whichever host accepts writes. The server ends a slow statement, and connections to an unresponsive host are dropped. Each
 * visitor gets only a share of the connections.
 */
export function openBoundedPool(urls: string[], max: number, names?: StatementNames): BoundedPool {
  const kept = keepConnections(urls, max)
  const shares = createShares()
  const setBounds = createBoundsSetter()
  const ongoing = keepUntilOver()

  async function take(): Promise<Taken> {
    const connections = await kept.find()
    try {
      return { client: await connections.pool.connect(), connections }
    } catch (error) {
      if (isBoundsRefusal(connections, error)) {
        kept.makeWithoutBounds(connections)
        return take()
      }
      // A pool without a free connection says nothing about the host.
      if (!isAllInUse(error)) kept.doubt(connections)
      throw error
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const leave = await shares.enter()
    const { client, connections } = await inTime(take()).catch((error: unknown) => {
      leave()
      throw error
    })
    const bounded = boundedClient(client, connections, { kept, names, leave, releaseOnceOver: ongoing.add })
    if (!connections.hasSessionBounds) return bounded
    try {
      if (!(await areBoundsKept(connections, bounded))) {
        kept.makeWithoutBounds(connections)
        bounded.release(true)
        return connect()
      }
      await setBounds(client, bounded)
      return bounded
    } catch (error) {
      bounded.release(true)
      throw error
    }
  }

  return {
    connect,
    async end() {
      ongoing.release()
      await kept.end()
    },
    options: {},
    counts() {
      const pool = kept.current()?.pool
      return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 }
    },
    hasSessionBounds: kept.hasSessionBounds,
  }
}

function createBoundsSetter() {
  const boundsOf = new WeakMap<pg.PoolClient, string>()
  return async (client: pg.PoolClient, bounded: PostgresPoolClient): Promise<void> => {
    const bounds = sessionBounds(boundsInForce())
    if (bounds === (boundsOf.get(client) ?? usualBounds)) return
    await bounded.query(bounds, [])
    boundsOf.set(client, bounds)
  }
}

type Taken = { client: pg.PoolClient; connections: Connections }

/**
 * Bounds the wait for a connection, including the search for the host that accepts writes. A connection that arrives later goes back to the
 * pool.
 */
function inTime(taking: Promise<Taken>): Promise<Taken> {
  const { promise, resolve, reject } = Promise.withResolvers<Taken>()
  const timer = whenAwakeFor(connectMs, () => {
    reject(allInUse())
    taking.then(({ client }) => client.release()).catch(() => {})
  })
  taking.then(resolve, reject)
  return promise.finally(timer.clear)
}

/**
 * Keeps a connection's place in the pool while its statement goes on, such as a commit that waits for a standby. The same holds for a
 * statement behind a pooler without a free session. Otherwise the pool would open new connections until the server has none left.
 */
function keepUntilOver() {
  const waiting = new Set<pg.PoolClient>()
  const release = (client: pg.PoolClient): void => void (waiting.delete(client) && client.release(true))
  return {
    add(client: pg.PoolClient, over: Promise<unknown>): void {
      waiting.add(client)
      over.finally(() => release(client)).catch(() => {})
    },
    release: () => waiting.forEach(release),
  }
}
