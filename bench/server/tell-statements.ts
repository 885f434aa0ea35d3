/**
 * Loaded into the product's process before the product (`node --import`): tells its parent of each statement. For the embedded
 * database, to which there is no line that could be listened to.
 */
import { PostgresQueryCompiler } from 'kysely'

const { compileQuery } = PostgresQueryCompiler.prototype
PostgresQueryCompiler.prototype.compileQuery = function (...args) {
  const query = compileQuery.apply(this, args)
  process.send?.({ statement: query.sql, values: query.parameters })
  return query
}
// Listening does not keep the process alive.
process.channel?.unref()
