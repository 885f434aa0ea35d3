import {
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type TransactionSettings,
} from 'kysely'
import { type BoundedPool, openBoundedPool } from './bounded-pool.ts'
import { boundsInForce, localBounds } from './statement-bounds.ts'
import { createStatementNames } from './statement-names.ts'

const maxConnections = 12

/**
 * Connects to PostgreSQL, on whichever of these hosts takes writes. `keepsStatements`: the server parses and plans a frequent
 * statement once for each connection. Not every pooler supports that.
 */
export function connectPostgres(urls: string[], { keepsStatements = false } = {}) {
  const pool = openBoundedPool(urls, maxConnections, keepsStatements ? createStatementNames() : undefined)
  return { dialect: dialectOf(pool), pool: pool.counts }
}

function dialectOf(pool: BoundedPool): Dialect {
  const config = { pool: pool satisfies PostgresPool }
  return Object.assign(new PostgresDialect(config), {
    createDriver: () => new DriverWithBounds(config, pool.hasSessionBounds),
  })
}

/** Sets the bounds inside each transaction where the session cannot keep them: a pooler hands the connection to others. */
class DriverWithBounds extends PostgresDriver {
  readonly #hasSessionBounds: () => boolean

  constructor(config: { pool: PostgresPool }, hasSessionBounds: () => boolean) {
    super(config)
    this.#hasSessionBounds = hasSessionBounds
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings)
    if (!this.#hasSessionBounds()) await connection.executeQuery(localBounds(boundsInForce()))
  }
}
