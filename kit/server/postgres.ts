import type { Dialect, Kysely } from 'kysely'
import type { Db as JobDb } from 'pg-boss'
import type { BoundedClient } from './bounded-client.ts'
import { type BoundedPool, openBoundedPool } from './bounded-pool.ts'
import { createPipelinedReads, isPlainRead } from './pipelined-reads.ts'
import type { PlainRead } from './plain-reads.ts'
import { alsoFrom, postgresDialect } from './postgres-driver.ts'
import { allowing, forManyRows, forMigrations, type StatementBounds } from './statement-bounds.ts'
import { createStatementNames } from './statement-names.ts'
import { createShares, isVisitors } from './visitor-share.ts'

/** As many as twelve things at once, and four for the queue, which are never taken by visitors. */
const most = { ours: 12, queue: 4 }

/**
 * Connections to PostgreSQL, on whichever of these hosts takes writes, for the product and for its queue. `keepsStatements`: what is asked
 * again and again is read by the server once for a connection, which a pooler that hands connections round may not know of.
 */
export function connectPostgres(urls: string[], { keepsStatements = false } = {}) {
  const names = keepsStatements ? createStatementNames() : undefined
  const ours = openBoundedPool(urls, most.ours, names)
  const queue = openBoundedPool(urls, most.queue, names)
  const shares = createShares()
  // A pooler that hands connections round between statements may not be able to follow several at once.
  const read = keepsStatements ? createPipelinedReads(ours) : null
  return {
    dialect: dialectOf(ours, shares, read),
    read: read && plainReadOf(shares, read),
    jobDb: jobDbOf(queue),
    pool: ours.counts,
    async close(db: Pick<Kysely<never>, 'destroy'>): Promise<void> {
      await db.destroy()
      await queue.end()
    },
  }
}

type Shares = ReturnType<typeof createShares>
type Read = BoundedClient['query']

const dialectOf = (pool: BoundedPool, shares: Shares, read: Read | null): Dialect =>
  postgresDialect({
    async enter() {
      const leave = await shares.enter()
      const plainly = read && isVisitors() ? read : null
      return {
        leave,
        connect: pool.connect,
        read: plainly && ((statement, values) => (isPlainRead(statement) ? plainly(statement, values) : null)),
      }
    },
    end: pool.end,
  })

/** The same for statements that are written already. */
const plainReadOf =
  (shares: Shares, read: Read): PlainRead =>
  (statement, values) =>
    isVisitors() && isPlainRead(statement) ? readInTurn(shares, () => read(statement, values)) : null

async function readInTurn(shares: Shares, read: () => ReturnType<Read>): ReturnType<Read> {
  const leave = await shares.enter()
  try {
    return await read()
  } catch (error) {
    throw alsoFrom(error, new Error())
  } finally {
    leave()
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
