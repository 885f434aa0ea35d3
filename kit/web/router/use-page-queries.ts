import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useApi } from '../api.tsx'
import type { MatchedPage } from '../page.ts'
import type { Query, QueryClient } from '../query/query-client.ts'
import { useQueryClient } from '../query/use-query.tsx'
import { getLoadedPageLoader } from './page-modules.ts'

export function usePageQueries(match: MatchedPage | null, search: string): boolean {
  const api = useApi()
  const client = useQueryClient()
  const needs = match && getLoadedPageLoader(match.page)
  const params = match?.params
  const queries = useMemo(
    () => ((params && needs?.queries?.(api, params, search)) ?? []).filter(({ enabled }) => enabled !== false),
    [needs, params, api, search],
  )

  const getVersions = (): string => queries.map((query) => getDataVersion(client, query)).join()
  const currentVersions = useSyncExternalStore(client.subscribe, getVersions, getVersions)

  useEffect(() => {
    for (const query of queries) void client.prefetchQuery(query)
  }, [client, queries])
  return Boolean(needs) && !currentVersions.includes(pendingVersion)
}

const pendingVersion = 'pending'

function getDataVersion(client: QueryClient, { queryKey }: Query): string {
  const { data, error, updates } = client.getQueryState(queryKey)
  return data === undefined && error === null ? pendingVersion : String(updates)
}
