import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from './db.ts'
import { sideBySide } from './side-by-side.ts'

export type Which = { most: number } & ({ but: readonly string[] } | { only: string })

export const whichOf = (which: Which, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  'only' in which ? sql`${id} = ${which.only}` : sql`${id} <> all(${which.but}::uuid[])`

type Batches<Item> = {
  db: Db
  atOnce: number
  most: number
  /** Takes and locks items that no other transaction has. */
  take(trx: Trx, which: Which): Promise<Item[]>
  idOf(item: Item): string
  /** Processes the items. Returns the ids of items that need no processing now, which are left for the next round. */
  work(trx: Trx, items: Item[]): Promise<readonly string[] | void>
  /** Called for an item that failed. The item is skipped until the next round. */
  onTrouble(id: string, error: unknown): void
}

/**
 * Processes all due items, several batches in parallel, each in one transaction, until none is left. A failing item does not affect the
 * others: the items of a failed batch are processed one by one.
 */
export async function inBatches<Item>(batches: Batches<Item>): Promise<void> {
  const aside = new Set<string>()
  await sideBySide(batches.atOnce, async () => {
    const putAside = (ids: readonly string[]): void => ids.forEach((id) => aside.add(id))
    // A failing batch puts its items aside before the rollback, because another batch could take them after it.
    const { ids, left, error } = await attempt(batches, { most: batches.most, but: [...aside] }, putAside)
    putAside(left)
    if (error) for (const id of ids) if (await isDone(batches, id, ids.length === 1 ? error : null)) aside.delete(id)
    return ids.length > 0
  })
}

async function isDone<Item>(batches: Batches<Item>, id: string, error: Failure): Promise<boolean> {
  const { left, error: failure } = error ? { left: [], error } : await attempt(batches, { most: 1, only: id })
  if (failure) batches.onTrouble(id, failure.reason)
  return !failure && left.length === 0
}

type Failure = { reason: unknown } | null
type Attempt = { ids: string[]; left: readonly string[]; error: Failure }

/** @throws when no item could be taken */
async function attempt<Item>(
  { db, take, idOf, work }: Batches<Item>,
  which: Which,
  onFailing: (ids: readonly string[]) => void = () => {},
): Promise<Attempt> {
  let ids: string[] = []
  try {
    const left = await transact(db, async (trx) => {
      const items = await take(trx, which)
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
    // The commit itself may have failed.
    onFailing(ids)
    return { ids, left: [], error: { reason } }
  }
}
