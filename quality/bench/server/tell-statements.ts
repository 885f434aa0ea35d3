/**
 * Loaded into the product's process before the product (`node --import`): sends each statement to its parent. It is for the embedded
 * database, which has no connection that could be recorded.
 */
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'

// The executor sees every execution. The builder would see a prepared statement only once.
type Asks = { executeQuery(query: CompiledQuery, ...more: unknown[]): Promise<unknown> }
const executorPrototype = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as Asks
const { executeQuery } = executorPrototype
executorPrototype.executeQuery = function (query, ...more) {
  process.send?.({ statement: query.sql, values: query.parameters })
  return executeQuery.call(this, query, ...more)
}
// Recording does not keep the process alive.
process.channel?.unref()
