import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore, type ReactNode } from 'react'
import { hashQueryKey, type Query, type QueryClient, type QueryState } from './query-client.ts'

const ClientContext = createContext<QueryClient | null>(null)

export function QueryClientProvider({ client, children }: { client: QueryClient; children: ReactNode }): ReactNode {
  return <ClientContext value={client}>{children}</ClientContext>
}

/** @throws Error outside a QueryClientProvider */
export function useQueryClient(): QueryClient {
  const client = use(ClientContext)
  if (!client) throw new Error('useQueryClient outside a QueryClientProvider')
  return client
}

export type QueryResult<T> = QueryState<T> & {
  isPending: boolean
  isError: boolean
  refetch(): Promise<void>
}

export function useIsFetching({ queryKey }: Query): boolean {
  const client = useQueryClient()
  const getSnapshot = () => client.isFetching(queryKey)
  return useSyncExternalStore(client.subscribeToFetching, getSnapshot, getSnapshot)
}

export function useQuery<T>(query: Query<T>): QueryResult<T> {
  const client = useQueryClient()
  const { queryKey, enabled = true } = query
  const hash = hashQueryKey(queryKey)
  const getSnapshot = () => client.getQueryState(queryKey)
  const state = useSyncExternalStore(client.subscribe, getSnapshot, getSnapshot)

  const requestQuery = useEffectEvent(
    (staleTime = query.staleTime) => void client.prefetchQuery({ ...query, staleTime }),
  )
  useEffect(() => {
    if (enabled) requestQuery()
  }, [client, hash, enabled])

  const interval = enabled ? query.refetchInterval?.(state.data) : undefined
  useEffect(() => {
    if (interval === undefined) return
    const timer = setInterval(() => requestQuery(0), interval)
    return () => clearInterval(timer)
  }, [client, hash, interval])

  const { data, error } = state
  return {
    ...state,
    isPending: data === undefined && error === null,
    isError: error !== null,
    refetch: () => client.refetchQuery(query),
  }
}
