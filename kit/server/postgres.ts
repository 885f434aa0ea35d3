import type { Dialect } from 'kysely'
import { type BoundedPool, openBoundedPool } from './bounded-pool.ts'
import { postgresDialect } from './postgres-driver.ts'
import { createStatementNames } from './statement-names.ts'
import { createShares } from './visitor-share.ts'

const maxConnections = 12

/**
 * Connections to PostgreSQL, on whichever of these hosts takes writes, for the product. `keepsStatements`: what is asked
 * again and again is read by the server once for a connection, which a pooler that hands connections round may not know of.
 */
export function connectPostgres(urls: string[], { keepsStatements = false } = {}) {
  const names = keepsStatements ? createStatementNames() : undefined
  const pool = openBoundedPool(urls, maxConnections, names)
  const shares = createShares()
  return { dialect: dialectOf(pool, shares), pool: pool.counts }
}

const dialectOf = (pool: BoundedPool, shares: ReturnType<typeof createShares>): Dialect =>
  postgresDialect({
    enter: async () => ({ leave: await shares.enter(), connect: pool.connect }),
    end: pool.end,
  })
