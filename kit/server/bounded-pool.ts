import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { notAtStandby } from './called-off.ts'
import { cancelStatement, type Backend } from './cancel-statement.ts'
import { commitOn } from './commit-on.ts'
import { type Connections, keepConnections, silent } from './database-connections.ts'
import { destroySocket } from './database-hosts.ts'
import { boundsInForce, connectMs, graceMs, isForManyRows } from './statement-bounds.ts'

/** A connection that somebody has: nothing that is asked on it takes longer than it may. */
export type BoundedClient = {
  query(statement: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  /** What `ask` asks at once leaves as one piece; answers when all of it has come to its end. */
  inOneWrite(ask: () => Promise<unknown>[]): Promise<void>
  release(isBroken?: boolean): void
}

export type BoundedPool = {
  connect(): Promise<BoundedClient>
  counts(): { total: number; idle: number; waiting: number }
  end(): Promise<void>
}

/**
 * Connections to the host that takes writes, of these. Neither a host that vanishes without a word nor a lock that nobody gives back
 * keeps anybody for long: a statement that takes too long is called off, and where nobody answers, so is every other on that host.
 * `nameOf`: under which name a connection has the server keep a statement.
 */
export function openBoundedPool(urls: string[], max: number, nameOf: NameOf = () => undefined): BoundedPool {
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
      return boundedClient(client, connections, { kept, leaveToItself, nameOf })
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

type NameOf = (statement: string) => string | undefined

type Around = {
  nameOf: NameOf
  kept: ReturnType<typeof keepConnections>
  leaveToItself(client: pg.PoolClient, committed: Promise<unknown>): void
}

function boundedClient(
  client: pg.PoolClient,
  connections: Connections,
  { kept, leaveToItself, nameOf }: Around,
): BoundedClient {
  let [isSpent, isLeft] = [false, false]
  const unheard = (): void => kept.giveUp(connections)

  async function ask(statement: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const { statementMs } = boundsInForce()
    // In a transaction that has failed it only ends it.
    if (statement === 'commit' && client.getTransactionStatus() === 'T')
      return commitOn(client, statementMs, {
        unheard,
        left(committed) {
          isLeft = true
          leaveToItself(client, committed)
        },
      })
    const bound = boundOf(client, statementMs, { called: () => (isSpent = true), unheard })
    // A plan that is kept was made for tables of another size: where there are many rows that costs more than to plan anew.
    const name = isForManyRows() ? undefined : nameOf(statement)
    const asked = { text: statement, values: values as unknown[], ...(name !== undefined && { name }) }
    return client.query(asked).finally(bound.end)
  }

  return {
    async query(statement, values = []) {
      if (isLeft) throw notAtStandby()
      try {
        const result = await ask(statement, values)
        if (!connections.aloneWith.has(client)) return result
        isSpent = true
        throw notAtStandby()
      } catch (error) {
        // It was the primary, and is none any more.
        if (codeOf(error) === '25006') {
          isSpent = true
          kept.doubt(connections)
        }
        // What ended the connection says more than that it has ended.
        throw isLost(error) ? (connections.endedBy.get(client) ?? error) : error
      }
    },
    async inOneWrite(ask) {
      const { stream } = (client as unknown as { connection: pg.Connection }).connection
      stream.cork()
      const asked = ask()
      stream.uncork()
      await Promise.allSettled(asked)
    },
    release(isBroken = false) {
      if (isLeft) return
      // In a transaction still, when it could not even be begun as a whole.
      const isOpen = client.getTransactionStatus() !== 'I'
      client.release(isBroken || isSpent || isOpen || connections !== kept.current())
    },
  }
}

/** What the driver says of a wait for others to give one back. */
const allInUse = 'timeout exceeded when trying to connect'

type Outcome = {
  /** The server is asked to end it, and might end what is asked next instead: the connection is used for nothing more. */
  called(): void
  /** Not even that was heard. */
  unheard(): void
}

/** Calls a statement off once it has taken as long as it may, and breaks the connection of one that does not end then either. */
function boundOf(client: pg.PoolClient, ms: number, { called, unheard }: Outcome): { end(): void } {
  let isOver = false
  const callOff = async (): Promise<void> => {
    called()
    const isHeard = await cancelStatement(client as unknown as Backend, graceMs - 100)
    if (isOver) return
    if (isHeard) timer = whenAwakeFor(graceMs, () => destroySocket(client, silent()))
    else unheard()
  }
  let timer = whenAwakeFor(ms, () => void callOff())
  return {
    end() {
      isOver = true
      timer.clear()
    },
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Client has encountered a connection error')

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** What comes later than it may goes where it came from. */
async function inTime<T>(asked: Promise<T>, giveBack: (late: T) => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = whenAwakeFor(connectMs, () => {
    reject(new Error(allInUse))
    asked.then(giveBack, () => {})
  })
  return Promise.race([asked, late]).finally(timer.clear)
}
