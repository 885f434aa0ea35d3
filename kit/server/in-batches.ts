import { type RawBuilder, sql } from 'kysely'
import { type Db, transact, type Trx } from './db.ts'
import { sideBySide } from './side-by-side.ts'

/** What is taken: the earliest, but none of those that are passed over; or the one that is named. At most so many. */
export type Which = { most: number } & ({ but: readonly string[] } | { only: string })

/** The same as a condition on the column that names a thing. */
export const whichOf = (which: Which, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  'only' in which ? sql`${id} = ${which.only}` : sql`${id} <> all(${which.but}::uuid[])`

type Batches<Item> = {
  db: Db
  /** How many batches are done beside each other, and how many things are in one. */
  atOnce: number
  most: number
  /** Takes and locks some that nobody has. */
  take(trx: Trx, which: Which): Promise<Item[]>
  idOf(item: Item): string
  /** Does them; answers the ids of those that did not want doing, which are left for the next round. */
  work(trx: Trx, items: Item[]): Promise<readonly string[] | void>
  /** One is in trouble: it is passed over until the next round. */
  onTrouble(id: string, error: unknown): void
}

/**
 * Does all that is due, many in one transaction, several beside each other, until nothing is left. One that is in trouble holds up no
 * other: the things of a batch that fails are done one by one.
 */
export async function inBatches<Item>(batches: Batches<Item>): Promise<void> {
  // What is in trouble, did not want doing, or is just being done one by one.
  const aside = new Set<string>()
  await sideBySide(batches.atOnce, async () => {
    const putAside = (ids: readonly string[]): void => ids.forEach((id) => aside.add(id))
    // Before it is undone: after that others would take what is in it.
    const { ids, left, error } = await attempt(batches, { most: batches.most, but: [...aside] }, putAside)
    putAside(left)
    if (error) for (const id of ids) if (await isDone(batches, id, ids.length === 1 ? error : null)) aside.delete(id)
    return ids.length > 0
  })
}

/** Does one by itself; `error`: it was by itself when it failed. False when it is to be passed over. */
async function isDone<Item>(batches: Batches<Item>, id: string, error: Failure): Promise<boolean> {
  const { left, error: failure } = error ? { left: [], error } : await attempt(batches, { most: 1, only: id })
  if (failure) batches.onTrouble(id, failure.reason)
  return !failure && left.length === 0
}

type Failure = { reason: unknown } | null
type Attempt = { ids: string[]; left: readonly string[]; error: Failure }

/** @throws when nothing could be taken */
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
    // It may have failed at its very end.
    onFailing(ids)
    return { ids, left: [], error: { reason } }
  }
}
