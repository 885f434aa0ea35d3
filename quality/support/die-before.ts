/**
 * Loaded into a product's process before the product itself (`node --import`). It ends the process, like SIGKILL, just before a matching
 * statement would be sent. The test sets the pattern once before the product starts, and again at any time.
 */
import { PostgresQueryCompiler } from 'kysely'

let fatal: RegExp | null = null

const { promise: firstOrder, resolve } = Promise.withResolvers<void>()
process.on('message', (pattern) => {
  if (typeof pattern !== 'string') return
  fatal = pattern ? new RegExp(pattern, 's') : null
  process.send?.('understood')
  resolve()
})
// A test that was stopped halfway cannot end anything itself.
process.once('disconnect', () => process.exit(1))
await firstOrder
// The listener must not keep the process alive.
process.channel?.unref()

const { compileQuery } = PostgresQueryCompiler.prototype
PostgresQueryCompiler.prototype.compileQuery = function (...args) {
  const query = compileQuery.apply(this, args)
  if (fatal?.test(`${query.sql} -- ${query.parameters.join(' ')}`)) process.kill(process.pid, 'SIGKILL')
  return query
}
