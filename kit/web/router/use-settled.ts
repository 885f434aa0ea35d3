import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useApi } from '../api.tsx'
import type { Match } from '../page.ts'
import type { Query, QueryClient } from '../query/query-client.ts'
import { useQueryClient } from '../query/use-query.tsx'
import { loadedNeeds } from './load.ts'

/**
 * Starts what a page declares and answers whether each query has its data or has failed. Renders again whenever one of
 * them changes, so that the redirect is decided anew.
 */
export function useSettled({ page, params }: Match): boolean {
  const api = useApi()
  const client = useQueryClient()
  const needs = loadedNeeds(page)
  const queries = useMemo(() => (needs?.queries?.(api, params) ?? []).filter(({ enabled }) => enabled !== false), [needs, params, api])

  const versions = (): string => queries.map((query) => versionOf(client, query)).join()
  const now = useSyncExternalStore(client.subscribe, versions, versions)

  useEffect(() => {
    for (const query of queries) void client.prefetchQuery(query)
  }, [client, queries])
  return needs !== undefined && !now.includes(pending)
}

const pending = 'pending'

/** Differs whenever a query's data or outcome does. */
function versionOf(client: QueryClient, { queryKey }: Query): string {
  const { data, error, updates } = client.getQueryState(queryKey)
  return data === undefined && error === null ? pending : String(updates)
}
