/**
 * This module is loaded into Fantail's process before Fantail's own code (`node --import`). It kills the process with SIGKILL just before a
 * statement that matches the pattern is sent. The test must set the pattern once before Fantail starts, and may then change it at any time.
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
// Exit when the test's process is gone, because a test that was interrupted cannot stop Fantail.
process.once('disconnect', () => process.exit(1))
await firstOrder
// Don't let the message channel keep this process alive.
process.channel?.unref()

const { compileQuery } = PostgresQueryCompiler.prototype
PostgresQueryCompiler.prototype.compileQuery = function (...args) {
  const query = compileQuery.apply(this, args)
  if (fatal?.test(`${query.sql} -- ${query.parameters.join(' ')}`)) process.kill(process.pid, 'SIGKILL')
  return query
}
