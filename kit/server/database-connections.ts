import { Socket } from 'node:net'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { queryOnce, findPrimary, isPostLoginTimeout, createUnresponsiveHostError } from './database-hosts.ts'
import { withTimeouts, connectTimeoutMs, loginGraceMs, sessionParameters } from './database-timeouts.ts'

/** How a database host responds. `busy` means that it accepts logins but does not answer queries, like a pooler without a free session. */
export type HostState = 'answers' | 'busy' | 'awaits standby' | 'silent'

export type Connections = {
  pool: pg.Pool
  /** Whether sessions have their own timeouts. They don't behind a transaction pooler. */
  hasSessionBounds: boolean
  areBoundsSeen: boolean
  check(): Promise<HostState>
  drop(): void
}

export function createHostConnections(urls: string[], max: number) {
  const [only] = urls.length === 1 ? urls : []
  let hasSessionBounds = true
  const openForUrl = (url: string): Connections => openConnections(url, max, hasSessionBounds)
  let current: Connections | null = only === undefined ? null : openForUrl(only)
  let search: Promise<Connections> | null = null
  let isEnded = false

  /** Stops using the given connections. Statements in progress still complete. */
  function retireConnections(connections: Connections): void {
    if (current !== connections || isEnded) return
    current = only === undefined ? null : openForUrl(only)
    connections.pool.end().catch(() => {})
  }

  async function findHost(): Promise<Connections> {
    const url = await findPrimary(urls)
    if (isEnded) throw new Error(poolEndedMessage)
    return (current = openForUrl(url))
  }

  return {
    current: () => current,
    hasSessionBounds: () => hasSessionBounds,
    async find(): Promise<Connections> {
      if (current) return current
      search ??= findHost().finally(() => (search = null))
      return search
    },
    doubt(connections: Connections): void {
      if (only === undefined) retireConnections(connections)
    },
    /** Opens all further connections without session timeouts, because a pooler refuses or ignores them. */
    makeWithoutBounds(connections: Connections): void {
      hasSessionBounds = false
      retireConnections(connections)
    },
    giveUp(connections: Connections): void {
      retireConnections(connections)
      connections.drop()
    },
    async end(): Promise<void> {
      isEnded = true
      await current?.pool.end()
    },
  }
}

export const isTimeoutSettingRejected = ({ hasSessionBounds }: Connections, error: unknown): boolean =>
  hasSessionBounds && error instanceof pg.DatabaseError && error.code === '08P01'

export async function areTimeoutsApplied(
  connections: Connections,
  client: Pick<PostgresPoolClient, 'query'>,
): Promise<boolean> {
  if (connections.areBoundsSeen) return true
  const read = "select setting as ms from pg_settings where name = 'statement_timeout'"
  const { rows } = await withTimeouts({ statementMs: 1_000 }, () => client.query<{ ms: string }>(read, []))
  connections.areBoundsSeen = Number(rows[0]?.ms) === sessionParameters.statement_timeout
  return connections.areBoundsSeen
}

const poolEndedMessage = 'Cannot use a pool after calling end on the pool'

const poolTimeoutMessage = 'timeout exceeded when trying to connect'
export const createPoolExhaustedError = (): Error => new Error(poolTimeoutMessage)
export const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.message === poolTimeoutMessage

function openConnections(url: string, max: number, hasSessionBounds: boolean): Connections {
  const sockets = new Set<Socket>()
  let checking: Promise<HostState> | null = null
  const pool = new pg.Pool({
    connectionString: url,
    max,
    // Callers wait for `connectMs`. The driver's timeout is longer because its timer does not allow for time spent suspended.
    connectionTimeoutMillis: 2 * connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    ...(hasSessionBounds && sessionParameters),
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
  })
  /*
   * Without these listeners, a lost connection would crash the process. The pool replaces the connection, and only the query running on it
   * fails.
   */
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    pool,
    hasSessionBounds,
    areBoundsSeen: false,
    check: () => (checking ??= checkHostState(url).finally(() => (checking = null))),
    drop() {
      for (const socket of sockets) socket.destroy(createUnresponsiveHostError())
    },
  }
}

/**
 * Checks whether commits are waiting for a standby. A server that answers this query is responsive. The query does not see other roles'
 * sessions.
 */
const standbyQuery = `select exists (select from pg_stat_activity where wait_event = 'SyncRep') as "awaitsStandby"`

async function checkHostState(url: string): Promise<HostState> {
  try {
    const row = await queryOnce<{ awaitsStandby: boolean }>(url, standbyQuery, loginGraceMs - 100)
    return row?.awaitsStandby ? 'awaits standby' : 'answers'
  } catch (error) {
    // A server with no free connections still counts as responsive.
    if (error instanceof pg.DatabaseError) return 'answers'
    return isPostLoginTimeout(error) ? 'busy' : 'silent'
  }
}
