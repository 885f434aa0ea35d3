import { CompiledQuery, type Dialect, type Kysely, PostgresDialect, PostgresDriver } from 'kysely'
import type { Db as JobDb } from 'pg-boss'
import { type BoundedClient, type BoundedPool, openBoundedPool } from './bounded-pool.ts'
import { createPipelinedReads, isPlainRead } from './pipelined-reads.ts'
import {
  allowing,
  boundsInForce,
  forManyRows,
  forMigrations,
  localBounds,
  type StatementBounds,
} from './statement-bounds.ts'
import { createStatementNames } from './statement-names.ts'
import { createShares, isVisitors } from './visitor-share.ts'

/** As many as twelve things at once, and four for the queue, which are never taken by visitors. */
const most = { ours: 12, queue: 4 }

/**
 * Connections to PostgreSQL, on whichever of these hosts takes writes, for the product and for its queue. `keepsStatements`: what is asked
 * again and again is read by the server once for a connection, which a pooler that hands connections round may not know of.
 */
export function connectPostgres(urls: string[], { keepsStatements = false } = {}) {
  const nameOf = keepsStatements ? createStatementNames() : undefined
  const ours = openBoundedPool(urls, most.ours, nameOf)
  const queue = openBoundedPool(urls, most.queue, nameOf)
  return {
    // A pooler that hands connections round between statements may not be able to follow several at once.
    dialect: dialectOf(ours, keepsStatements ? createPipelinedReads(ours) : null),
    jobDb: jobDbOf(queue),
    pool: ours.counts,
    async close(db: Pick<Kysely<never>, 'destroy'>): Promise<void> {
      await db.destroy()
      await queue.end()
    },
  }
}

function dialectOf(pool: BoundedPool, read: BoundedClient['query'] | null): Dialect {
  const shares = createShares()
  const config = {
    pool: {
      options: {},
      end: () => pool.end(),
      async connect() {
        const leave = await shares.enter()
        const isPipelined = read !== null && isVisitors()
        const client = await (isPipelined ? connectLate(pool, read) : pool.connect()).catch((error: unknown) => {
          leave()
          throw error
        })
        return {
          // Nothing is read through a cursor.
          query: client.query as never,
          release(isBroken?: boolean) {
            client.release(isBroken)
            leave()
          },
        }
      },
    },
  }
  const driver = new PostgresDriver(config)
  // One statement, and so one way there and back, as `begin` alone would be.
  driver.beginTransaction = async (connection, { isolationLevel, accessMode }) => {
    const begin = ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
    await connection.executeQuery(CompiledQuery.raw(`${begin}; ${localBounds(boundsInForce())}`))
  }
  const dialect = new PostgresDialect(config)
  dialect.createDriver = () => driver
  return dialect
}

/** Takes a connection of its own for what needs one: a transaction, and whatever is no plain read. */
async function connectLate(
  pool: BoundedPool,
  read: BoundedClient['query'],
): Promise<Pick<BoundedClient, 'query' | 'release'>> {
  let own: Promise<BoundedClient> | null = null
  return {
    async query(statement, values) {
      if (!own && isPlainRead(statement)) return read(statement, values)
      return (await (own ??= pool.connect())).query(statement, values)
    },
    release(isBroken) {
      own?.then(
        (client) => client.release(isBroken),
        () => {},
      )
    },
  }
}

/** What the queue’s library asks is one statement at a time. One that failed may have begun a transaction: it ends with its connection. */
const jobDbOf = (pool: BoundedPool): JobDb => ({
  async executeSql(text: string, values?: unknown[]) {
    return allowing(boundsOf(text), async () => {
      const client: BoundedClient = await pool.connect()
      try {
        const result = await client.query(text, values)
        client.release()
        return result
      } catch (error) {
        client.release(true)
        throw error
      }
    })
  },
})

/** Its tables are made and changed, its old rows removed, and its jobs taken and done: the last is what customers wait for. */
function boundsOf(text: string): Partial<StatementBounds> {
  if (/\b(?:create|alter|drop|reindex)\s+(?:unique\s+)?(?:index|table|schema|type|function)\b/i.test(text))
    return forMigrations
  return /\bdelete\s+from\b/i.test(text) ? forManyRows : {}
}
