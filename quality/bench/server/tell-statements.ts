/**
 * Loaded into the product's process before the product (`node --import`): tells its parent of each statement. For the embedded
 * database, to which there is no line that could be listened to.
 */
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'

// Where it is asked, and not where it is written: what is asked often is written once.
type Asks = { executeQuery(query: CompiledQuery, ...more: unknown[]): Promise<unknown> }
const executors = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as Asks
const { executeQuery } = executors
executors.executeQuery = function (query, ...more) {
  process.send?.({ statement: query.sql, values: query.parameters })
  return executeQuery.call(this, query, ...more)
}
// Listening does not keep the process alive.
process.channel?.unref()
