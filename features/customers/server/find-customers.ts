import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db } from '#kit/server/db.ts'
import { listOrderPrefixes } from '#features/orders/server/order-prefixes.store.ts'
import { type FoundActivation, searchActivations } from './activation-search.store.ts'
import { type SearchHit, runSearch } from './customer-search.store.ts'
import { type SearchCriterion, parseSearch } from './parse-search.ts'

/**
 * The result of a search for customers, and for activations that are unfinished or have failed. A list is `null` when its search took too
 * long.
 */
export type SearchResult = {
  of: SearchCriterion['of']
  customers: (SearchHit & { user_id: string })[] | null
  activations: FoundActivation[] | null
  more: boolean
}

const maxShown = 8

export async function findCustomers({ db, market }: { db: Db; market: Market }, text: string): Promise<SearchResult[]> {
  const searchResults: SearchResult[] = []
  for (const search of parseSearch(text, market.phoneRegion, await listOrderPrefixes(db))) {
    const hits = (await runSearch(db, search))?.filter(belongsToCustomer)
    const distinctHits = hits?.filter(
      (one, index) => hits.findIndex((other) => other.user_id === one.user_id && other.hit === one.hit) === index,
    )
    const activations = await searchActivations(db, search)
    searchResults.push({
      of: search.of,
      customers: distinctHits?.slice(0, maxShown) ?? null,
      activations: activations?.slice(0, maxShown) ?? null,
      more: [distinctHits, activations].some((list) => (list?.length ?? 0) > maxShown),
    })
  }
  return searchResults
}

const belongsToCustomer = (found: SearchHit): found is SearchHit & { user_id: string } => found.user_id !== null
