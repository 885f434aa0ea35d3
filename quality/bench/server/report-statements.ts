/**
 * This module is loaded into Fantail's process before Fantail's own code (`node --import`) and sends each statement to the parent process.
 * It is meant for the embedded database, which has no network connection that could be recorded.
 */
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'

// Patch the executor, because it sees every execution. The query builder sees a prepared statement only once.
type Asks = { executeQuery(query: CompiledQuery, ...more: unknown[]): Promise<unknown> }
const executorPrototype = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as Asks
const { executeQuery } = executorPrototype
executorPrototype.executeQuery = function (query, ...more) {
  process.send?.({ statement: query.sql, values: query.parameters })
  return executeQuery.call(this, query, ...more)
}
// Don't let the channel to the parent process keep this process alive.
process.channel?.unref()
