import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { notAtStandby } from './called-off.ts'
import { isAnybodyThere, type Backend } from './cancel-statement.ts'
import { queryBatch } from './query-batch.ts'
import type { Statement } from './query-part.ts'
import { graceMs } from './statement-bounds.ts'

type Outcome = {
  /** There is nobody who could commit it. */
  unheard(): void
  /** It is still at it: nothing else may be asked on this connection. */
  left(committed: Promise<unknown>): void
}

/**
 * Sends what ends with a commit; the server's own limit for statements is over by then. A commit is never called off: one that waits for a
 * standby would be acknowledged, though the standby does not have it, and be gone once that one is promoted. After so long it is left to
 * itself.
 * @throws that it is not known whether it will stand
 */
export async function commitOn(
  client: pg.PoolClient,
  statements: readonly Statement[],
  ms: number,
  { unheard, left }: Outcome,
): Promise<pg.QueryResult[]> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let isOver = false
  const committed = queryBatch(client, statements)
  const waiting = whenAwakeFor(ms, async () => {
    const isThere = await isAnybodyThere(client as unknown as Backend, graceMs - 100)
    if (isOver) return
    if (!isThere) return unheard()
    left(committed)
    reject(notAtStandby())
  })
  return Promise.race([committed, late]).finally(() => {
    isOver = true
    waiting.clear()
  })
}
