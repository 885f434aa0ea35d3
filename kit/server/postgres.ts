import type { Dialect } from 'kysely'
import type { BoundedClient } from './bounded-client.ts'
import { type BoundedPool, openBoundedPool } from './bounded-pool.ts'
import { createPipelinedReads, isPlainRead } from './pipelined-reads.ts'
import type { PlainRead } from './plain-reads.ts'
import { alsoFrom, postgresDialect } from './postgres-driver.ts'
import { createStatementNames } from './statement-names.ts'
import { createShares, isVisitors } from './visitor-share.ts'

const maxConnections = 12

/**
 * Connections to PostgreSQL, on whichever of these hosts takes writes, for the product. `keepsStatements`: what is asked
 * again and again is read by the server once for a connection, which a pooler that hands connections round may not know of.
 */
export function connectPostgres(urls: string[], { keepsStatements = false } = {}) {
  const names = keepsStatements ? createStatementNames() : undefined
  const pool = openBoundedPool(urls, maxConnections, names)
  const shares = createShares()
  // A pooler that hands connections round between statements may not be able to follow several at once.
  const read = keepsStatements ? createPipelinedReads(pool) : null
  return {
    dialect: dialectOf(pool, shares, read),
    read: read && plainReadOf(shares, read),
    pool: pool.counts,
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
