import {
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type TransactionSettings,
} from 'kysely'
import { type BoundedPool, openBoundedPool } from './bounded-pool.ts'
import { getCurrentTimeouts, localTimeoutQuery } from './database-timeouts.ts'
import { createStatementNames } from './statement-names.ts'

const maxConnections = 12

/**
 * Connects to PostgreSQL on whichever of the given hosts accepts writes. With `keepsStatements`, the server parses and plans each frequent
 * statement only once per connection. Not every pooler supports that.
 */
export function connectPostgres(urls: string[], { keepsStatements = false } = {}) {
  const pool = openBoundedPool(urls, maxConnections, keepsStatements ? createStatementNames() : undefined)
  return { dialect: createDialect(pool), pool: pool.counts }
}

function createDialect(pool: BoundedPool): Dialect {
  const config = { pool: pool satisfies PostgresPool }
  return Object.assign(new PostgresDialect(config), {
    createDriver: () => new DriverWithTimeouts(config, pool.hasSessionBounds),
  })
}

/** Sets the timeouts inside each transaction when the session cannot keep them, because a pooler shares the connection between sessions. */
class DriverWithTimeouts extends PostgresDriver {
  readonly #hasSessionBounds: () => boolean

  constructor(config: { pool: PostgresPool }, hasSessionBounds: () => boolean) {
    super(config)
    this.#hasSessionBounds = hasSessionBounds
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings)
    if (!this.#hasSessionBounds()) await connection.executeQuery(localTimeoutQuery(getCurrentTimeouts()))
  }
}
