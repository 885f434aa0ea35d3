import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from './db.ts'
import { runInParallel } from './run-in-parallel.ts'

export type BatchSelection = { most: number } & ({ but: readonly string[] } | { only: string })

export const batchCondition = (which: BatchSelection, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  'only' in which ? sql`${id} = ${which.only}` : sql`${id} <> all(${which.but}::uuid[])`

type BatchOptions<Item> = {
  db: Db
  atOnce: number
  most: number
  /** Selects and locks items that are not locked by another transaction. */
  lockBatch(trx: Trx, which: BatchSelection): Promise<Item[]>
  idOf(item: Item): string
  /** Processes the items. Returns the ids of items that need no processing yet and are left for the next round. */
  work(trx: Trx, items: Item[]): Promise<readonly string[] | void>
  /** Called for an item that could not be processed. The item is skipped until the next round. */
  onFailure(id: string, error: unknown): void
}

/**
 * Processes all due items until none are left, in several parallel batches with one transaction each. A failing item does not affect the
 * others: if a batch fails, its items are processed one by one.
 */
export async function processInBatches<Item>(batches: BatchOptions<Item>): Promise<void> {
  const skippedIds = new Set<string>()
  await runInParallel(batches.atOnce, async () => {
    const skipItems = (ids: readonly string[]): void => ids.forEach((id) => skippedIds.add(id))
    // Mark a failing batch's items as skipped before the rollback, because a different batch could take them afterwards.
    const { ids, left, error } = await processBatch(batches, { most: batches.most, but: [...skippedIds] }, skipItems)
    skipItems(left)
    if (error)
      for (const id of ids)
        if (await processSingleItem(batches, id, ids.length === 1 ? error : null)) skippedIds.delete(id)
    return ids.length > 0
  })
}

async function processSingleItem<Item>(batches: BatchOptions<Item>, id: string, error: BatchFailure): Promise<boolean> {
  const { left, error: failure } = error ? { left: [], error } : await processBatch(batches, { most: 1, only: id })
  if (failure) batches.onFailure(id, failure.reason)
  return !failure && left.length === 0
}

type BatchFailure = { reason: unknown } | null
type BatchAttempt = { ids: string[]; left: readonly string[]; error: BatchFailure }

/**
 * Processes one batch in a transaction.
 * @throws if no items could be taken
 */
async function processBatch<Item>(
  { db, lockBatch, idOf, work }: BatchOptions<Item>,
  which: BatchSelection,
  onFailing: (ids: readonly string[]) => void = () => {},
): Promise<BatchAttempt> {
  let ids: string[] = []
  try {
    const left = await transact(db, async (trx) => {
      const items = await lockBatch(trx, which)
      ids = items.map(idOf)
      try {
        return items.length > 0 ? await work(trx, items) : []
      } catch (error) {
        onFailing(ids)
        throw error
      }
    })
    return { ids, left: left ?? [], error: null }
  } catch (reason) {
    if (ids.length === 0) throw reason
    // The commit itself may have failed, so mark the items as skipped here as well.
    onFailing(ids)
    return { ids, left: [], error: { reason } }
  }
}
