import { hashKey, notifyManager, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useApi } from '../api.tsx'
import type { Match, PageQuery } from '../page.ts'
import { loadedNeeds } from './load.ts'

/**
 * Starts what a page declares and answers whether each query has its data or has failed. Renders again whenever one of
 * them changes, so that the redirect is decided anew. (The library's own hook for a list of queries weighs 0.8 KB more.)
 */
export function useSettled({ page, params }: Match): boolean {
  const api = useApi()
  const client = useQueryClient()
  const needs = loadedNeeds(page)
  const queries = useMemo(() => (needs?.queries?.(api, params) ?? []).filter(({ enabled }) => enabled !== false), [needs, params, api])

  const subscribe = useCallback((changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)), [client])
  const versions = (): string => queries.map((query) => versionOf(client, query)).join()
  const now = useSyncExternalStore(subscribe, versions, versions)

  useEffect(() => {
    for (const query of queries) void client.prefetchQuery(query)
  }, [client, queries])
  return needs !== undefined && !now.includes(pending)
}

const pending = 'pending'

/** Differs whenever a query's data or outcome does. */
function versionOf(client: QueryClient, { queryKey }: PageQuery): string {
  const state = client.getQueryCache().get(hashKey(queryKey ?? []))?.state
  return state && state.status !== 'pending' ? `${state.dataUpdateCount}.${state.errorUpdateCount}` : pending
}
