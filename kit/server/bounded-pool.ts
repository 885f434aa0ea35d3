import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { boundedClient } from './bounded-client.ts'
import { type Connections, keepConnections } from './database-connections.ts'
import { boundsInForce, sessionBounds, usualBounds } from './statement-bounds.ts'
import type { StatementNames } from './statement-names.ts'
import { createShares } from './visitor-share.ts'

/** A pool as Kysely's dialect for PostgreSQL expects it. */
export type BoundedPool = {
  connect(): Promise<PostgresPoolClient>
  end(): Promise<void>
  options: object
  counts(): { total: number; idle: number; waiting: number }
  /** False behind a pooler that refuses settings of a session: its sessions are shared. */
  hasSessionBounds(): boolean
}

/**
 * Connections to whichever of these hosts takes writes. Nobody waits for long: the server ends a statement that takes too long, and the
 * connections to a host that does not answer at all are dropped. Each visitor gets only a share of the connections.
 */
export function openBoundedPool(urls: string[], max: number, names?: StatementNames): BoundedPool {
  const kept = keepConnections(urls, max)
  const shares = createShares()
  const boundsOf = new WeakMap<pg.PoolClient, string>()
  const commits = keepUntilOver()

  async function take(): Promise<{ client: pg.PoolClient; connections: Connections }> {
    const connections = await kept.find()
    try {
      return { client: await connections.pool.connect(), connections }
    } catch (error) {
      if (kept.refusesBounds(connections, error)) return take()
      kept.doubt(connections)
      throw error
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const leave = await shares.enter()
    const { client, connections } = await take().catch((error: unknown) => {
      leave()
      throw error
    })
    const bounded = boundedClient(client, connections, { kept, names, leave, releaseOnceOver: commits.add })
    const bounds = sessionBounds(boundsInForce())
    if (!connections.hasSessionBounds || bounds === (boundsOf.get(client) ?? usualBounds)) return bounded
    try {
      await bounded.query(bounds, [])
      boundsOf.set(client, bounds)
      return bounded
    } catch (error) {
      bounded.release(true)
      throw error
    }
  }

  return {
    connect,
    async end() {
      commits.release()
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

/**
 * Keeps the places of connections in the pool while their commits wait for a standby. Otherwise ever more connections would be made while
 * it is away, until the server has none left.
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
