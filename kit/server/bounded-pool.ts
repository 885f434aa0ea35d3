import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { startSuspendAwareTimer } from './suspend-aware-timer.ts'
import { createBoundedClient } from './bounded-client.ts'
import {
  createPoolExhaustedError,
  areTimeoutsApplied,
  type Connections,
  isPoolExhausted,
  isTimeoutSettingRejected,
  createHostConnections,
} from './database-connections.ts'
import {
  getCurrentTimeouts,
  connectTimeoutMs,
  sessionTimeoutStatement,
  defaultTimeoutStatement,
} from './database-timeouts.ts'
import type { StatementNames } from './statement-names.ts'
import { createConnectionQuotas } from './connection-quota.ts'

export type BoundedPool = {
  connect(): Promise<PostgresPoolClient>
  end(): Promise<void>
  options: object
  counts(): { total: number; idle: number; waiting: number }
  /**
   * Whether sessions keep their own timeouts. They don't behind a pooler that shares sessions and therefore refuses or ignores session
   * settings.
   */
  hasSessionBounds(): boolean
}

/**
 * Opens a pool of connections to whichever host accepts writes. The server cancels slow statements, and connections to an unresponsive host
 * are dropped. Each visitor may use only a share of the connections.
 */
export function openBoundedPool(urls: string[], max: number, names?: StatementNames): BoundedPool {
  const kept = createHostConnections(urls, max)
  const connectionQuotas = createConnectionQuotas()
  const applyTimeouts = createTimeoutSetter()
  const heldClients = createHeldClients()

  async function acquireClient(): Promise<AcquiredClient> {
    const connections = await kept.find()
    try {
      return { client: await connections.pool.connect(), connections }
    } catch (error) {
      if (isTimeoutSettingRejected(connections, error)) {
        kept.makeWithoutBounds(connections)
        return acquireClient()
      }
      // An exhausted pool says nothing about the host's health.
      if (!isPoolExhausted(error)) kept.doubt(connections)
      throw error
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const leave = await connectionQuotas.enter()
    const { client, connections } = await withConnectTimeout(acquireClient()).catch((error: unknown) => {
      leave()
      throw error
    })
    const holder = { kept, names, leave, releaseOnceOver: heldClients.add }
    const wrappedClient = createBoundedClient(client, connections, holder)
    if (!connections.hasSessionBounds) return wrappedClient
    try {
      if (!(await areTimeoutsApplied(connections, wrappedClient))) {
        kept.makeWithoutBounds(connections)
        wrappedClient.release(true)
        return connect()
      }
      await applyTimeouts(client, wrappedClient)
      return wrappedClient
    } catch (error) {
      wrappedClient.release(true)
      throw error
    }
  }

  return {
    connect,
    async end() {
      heldClients.release()
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

function createTimeoutSetter() {
  const appliedTimeouts = new WeakMap<pg.PoolClient, string>()
  return async (client: pg.PoolClient, bounded: PostgresPoolClient): Promise<void> => {
    const timeoutStatement = sessionTimeoutStatement(getCurrentTimeouts())
    if (timeoutStatement === (appliedTimeouts.get(client) ?? defaultTimeoutStatement)) return
    await bounded.query(timeoutStatement, [])
    appliedTimeouts.set(client, timeoutStatement)
  }
}

type AcquiredClient = { client: pg.PoolClient; connections: Connections }

/**
 * Limits the wait for a connection, including the search for the host that accepts writes. A connection that becomes available too late is
 * returned to the pool.
 */
function withConnectTimeout(taking: Promise<AcquiredClient>): Promise<AcquiredClient> {
  const { promise, resolve, reject } = Promise.withResolvers<AcquiredClient>()
  const timer = startSuspendAwareTimer(connectTimeoutMs, () => {
    reject(createPoolExhaustedError())
    taking.then(({ client }) => client.release()).catch(() => {})
  })
  taking.then(resolve, reject)
  return promise.finally(timer.clear)
}

/**
 * Keeps a connection's slot in the pool while its statement runs past its timeout, for example a commit waiting for a standby, or a
 * statement waiting for a free session behind a pooler. Otherwise the pool would keep opening connections until the server has none left.
 */
function createHeldClients() {
  const waitingClients = new Set<pg.PoolClient>()
  const releaseClient = (client: pg.PoolClient): void => void (waitingClients.delete(client) && client.release(true))
  return {
    add(client: pg.PoolClient, over: Promise<unknown>): void {
      waitingClients.add(client)
      over.finally(() => releaseClient(client)).catch(() => {})
    },
    release: () => waitingClients.forEach(releaseClient),
  }
}
