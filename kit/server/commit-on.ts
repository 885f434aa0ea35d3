import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { notAtStandby } from './called-off.ts'
import { isAnybodyThere, type Backend } from './cancel-statement.ts'
import { graceMs } from './statement-bounds.ts'

/** The statements' own limit is none of the commit's. */
const inItsTime = 'set local statement_timeout = 0; commit'

type Outcome = {
  /** There is nobody who could commit it. */
  unheard(): void
  /** It is still at it: nothing else may be asked on this connection. */
  left(committed: Promise<unknown>): void
}

/**
 * Commits, which is never called off: one that waits for a standby would be acknowledged, though the standby does not have it, and be
 * gone once that one is promoted. After so long it is left to itself.
 * @throws that it is not known whether it will stand
 */
export async function commitOn(client: pg.PoolClient, ms: number, { unheard, left }: Outcome): Promise<pg.QueryResult> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let isOver = false
  // Two statements have two results.
  const committed = client.query(inItsTime) as unknown as Promise<pg.QueryResult[]>
  const waiting = whenAwakeFor(ms, async () => {
    const isThere = await isAnybodyThere(client as unknown as Backend, graceMs - 100)
    if (isOver) return
    if (!isThere) return unheard()
    left(committed)
    reject(notAtStandby())
  })
  const results = await Promise.race([committed, late]).finally(() => {
    isOver = true
    waiting.clear()
  })
  return results.at(-1) as pg.QueryResult
}
