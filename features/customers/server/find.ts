import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db } from '#kit/server/db.ts'
import { type Found, runSearch } from './find.store.ts'
import { type Search, searchesOf } from './searches.ts'

/** `customers` is `null` when the search took too long. */
export type FoundBy = { of: Search['of']; customers: (Found & { user_id: string })[] | null; more: boolean }

const mostShown = 8

export async function findCustomers({ db, market }: { db: Db; market: Market }, text: string): Promise<FoundBy[]> {
  const groups: FoundBy[] = []
  for (const search of searchesOf(text, market.phoneRegion)) {
    const found = (await runSearch(db, search))?.filter(isCustomer)
    const once = found?.filter(
      (one, index) => found.findIndex((other) => other.user_id === one.user_id && other.hit === one.hit) === index,
    )
    groups.push({ of: search.of, customers: once?.slice(0, mostShown) ?? null, more: (once?.length ?? 0) > mostShown })
  }
  return groups
}

const isCustomer = (found: Found): found is Found & { user_id: string } => found.user_id !== null
