import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, Trx } from './db.ts'
import { sendInPassing } from './in-passing.ts'

/**
 * Writes in a transaction, or locks, what nobody needs an answer of: it is sent with whatever is asked next, or with the commit. It is done
 * before that, and should it fail, that fails in its place, and nothing of the transaction stands. Outside of one it is done at once.
 */
export async function writeInPassing(db: Db | Trx, query: Compilable | CompiledQuery): Promise<void> {
  const compiled = 'compile' in query ? query.compile() : query
  sendInPassing(compiled)
  await db.executeQuery(compiled)
}
