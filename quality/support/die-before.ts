/**
 * Loaded into a product's process before the product itself (`node --import`): ends it, as SIGKILL does, at the moment
 * before it would send a statement that fits. The test says which, once before the product starts and whenever it likes.
 */
import { PostgresQueryCompiler } from 'kysely'

let fatal: RegExp | null = null

const { promise: firstOrder, resolve } = Promise.withResolvers<void>()
process.on('message', (pattern) => {
  // What is not a text is for others that listen.
  if (typeof pattern !== 'string') return
  fatal = pattern ? new RegExp(pattern, 's') : null
  process.send?.('understood')
  resolve()
})
// A test that was ended in its middle ends nothing itself.
process.once('disconnect', () => process.exit(1))
await firstOrder
// Listening does not keep the process alive.
process.channel?.unref()

const { compileQuery } = PostgresQueryCompiler.prototype
PostgresQueryCompiler.prototype.compileQuery = function (...args) {
  const query = compileQuery.apply(this, args)
  if (fatal?.test(`${query.sql} -- ${query.parameters.join(' ')}`)) process.kill(process.pid, 'SIGKILL')
  return query
}
