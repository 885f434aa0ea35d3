import pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { destroySocket, findPrimary } from './database-hosts.ts'
import { connectMs } from './statement-bounds.ts'

/** Connections to one host. When it falls silent or is replaced, all of them are thrown away, and there are others. */
export type Connections = {
  url: string
  pool: pg.Pool
  all: Set<pg.PoolClient>
  /** What a connection was ended with: whoever uses it next is told only that it is. */
  endedBy: WeakMap<pg.PoolClient, Error>
  /** What these have committed, the server stopped waiting for its standby to have. */
  aloneWith: WeakSet<pg.PoolClient>
}

/** Keeps connections to the host that takes writes, of these; `max` of them. */
export function keepConnections(urls: string[], max: number) {
  const [only] = urls.length === 1 ? urls : []
  let current: Connections | null = only === undefined ? null : open(only, max)
  let looking: Promise<Connections> | null = null
  let isEnded = false

  /** They are not used again, and those in use end with what they are at. */
  function leave(connections: Connections): void {
    if (current !== connections || isEnded) return
    current = only === undefined ? null : open(only, max)
    connections.pool.end().catch(() => {})
  }

  async function look(): Promise<Connections> {
    const url = await findPrimary(urls)
    if (isEnded) throw new Error(ended)
    return (current = open(url, max))
  }

  return {
    current: () => current,
    /** The connections to whoever takes writes now. */
    async find(): Promise<Connections> {
      if (current) return current
      looking ??= look().finally(() => (looking = null))
      return looking
    },
    /** Something was wrong with these. Of several hosts any other may be the one by now; a single one is what it is. */
    doubt(connections: Connections): void {
      if (only === undefined) leave(connections)
    },
    /** Nobody is there: whoever waits for an answer is told. */
    giveUp(connections: Connections): void {
      leave(connections)
      for (const client of connections.all) destroySocket(client, silent())
    },
    async end(): Promise<void> {
      isEnded = true
      await current?.pool.end()
    },
  }
}

const ended = 'Cannot use a pool after calling end on the pool'

export const silent = (): Error =>
  Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT', syscall: 'read' })

function open(url: string, max: number): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    // Sends what is asked at once, and does not wait for what was asked before.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    Client: dialling as unknown as typeof pg.Client,
  })
  const [all, endedBy] = [new Set<pg.PoolClient>(), new WeakMap<pg.PoolClient, Error>()]
  const aloneWith = new WeakSet<pg.PoolClient>()
  // A connection that the server closes is replaced on the next query, and the caller that was using it is told by its own query;
  // without a listener, for idle connections and for those in use, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    all.add(client)
    // A warning in the server's own language; the name of its function is the same in all.
    client.on('notice', ({ routine }) => routine === 'SyncRepWaitForLSN' && aloneWith.add(client))
    client.on('error', (error) => endedBy.has(client) || endedBy.set(client, error))
    client.once('end', () => all.delete(client))
  })
  return { url, pool, all, endedBy, aloneWith }
}

/** A connection that is being made, and not for ever: the driver's own limit is over, too, when the process has stood still. */
function dialling(options: pg.ClientConfig): pg.Client {
  const client = new pg.Client(options)
  const limit = whenAwakeFor(connectMs, () =>
    destroySocket(client, new Error('Connection terminated due to connection timeout')),
  )
  client.once('connect', limit.clear)
  client.once('end', limit.clear)
  return client
}
