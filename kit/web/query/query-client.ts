import { ApiError } from '#kit/contract/errors.ts'

/** The key of a cached response. Two keys are equal if their JSON is equal. `T` is the type of the cached data. */
export type QueryKey<T = unknown> = readonly unknown[] & { readonly answer?: T }

export type Query<T = unknown> = {
  queryKey: QueryKey<T>
  queryFn: () => Promise<T>
  /** Milliseconds for which a response is fresh and not requested again; 30 seconds by default. */
  staleTime?: number
  enabled?: boolean
  /** If false, the first failure is reported. The default is two retries, except after a 4xx response. */
  retry?: false
  /** If false, a failure is cached for as long as a response would be. By default, the next use of the query requests the data again. */
  retryOnMount?: false
  /** Whether the data that the server rendered a page with is incomplete. If so, the browser immediately requests all of the data. */
  isPart?(data: T): boolean
  /** Milliseconds after which a page that shows the data requests it again. Return undefined to stop. */
  refetchInterval?(data: T | undefined): number | undefined
}

export type QueryState<T = unknown> = {
  data: T | undefined
  error: Error | null
  /** When the last success and the last failure happened, in milliseconds by the clock of the browser or server running this code. */
  dataUpdatedAt: number
  errorUpdatedAt: number
  updates: number
}

export type QueryClient = {
  getQueryData<T>(key: QueryKey<T>): T | undefined
  getQueryState<T>(key: QueryKey<T>): QueryState<T>
  /** Whether a request is in flight. It is kept out of the query's state, so that components showing the data need not re-render. */
  isFetching(key: QueryKey): boolean
  /**
   * Overwrites the cached data and ignores any response still in flight. `at` is the time of the data in milliseconds, by default the
   * current time. If the data is stale, it is shown, but the components showing it request it again.
   */
  setQueryData<T>(key: QueryKey<T>, data: T, at?: number): void
  /**
   * Returns the cached data if it is fresh, or otherwise the data from a new response. Concurrent callers share one request.
   * @throws the query's error
   */
  fetchQuery<T>(query: Query<T>): Promise<T>
  prefetchQuery(query: Query): Promise<void>
  /** Requests the data even if it is fresh or a request is already in flight. Resolves after a response or a failure. */
  refetchQuery(query: Query): Promise<void>
  answers(): [QueryKey, unknown][]
  clearUnanswered(): void
  /** Clears all cached data except the data for this key, because one visitor's data must not be shown to the next. */
  clearOthers(key: QueryKey): void
  subscribe(changed: () => void): () => void
  subscribeToFetching(changed: () => void): () => void
}

type CacheEntry = { key: QueryKey; state: QueryState; asking: Promise<unknown> | null }

const emptyState: QueryState = {
  data: undefined,
  error: null,
  dataUpdatedAt: 0,
  errorUpdatedAt: 0,
  updates: 0,
}

export const queryOptions = <T>(query: Query<T>): Query<T> => query

export const hashQueryKey = (key: QueryKey): string => JSON.stringify(key)

function createCacheStore() {
  const entries = new Map<string, CacheEntry>()
  const listeners = createListeners()
  const fetchListeners = createListeners()
  return {
    entries,
    entryOf(key: QueryKey): CacheEntry {
      const hash = hashQueryKey(key)
      const entry = entries.get(hash) ?? { key, state: emptyState, asking: null }
      entries.set(hash, entry)
      return entry
    },
    update(entry: CacheEntry, change: Partial<QueryState>): void {
      entry.state = { ...entry.state, ...change }
      listeners.tell()
    },
    setAsking(entry: CacheEntry, asking: CacheEntry['asking']): void {
      entry.asking = asking
      fetchListeners.tell()
    },
    subscribe: listeners.add,
    subscribeToFetching: fetchListeners.add,
  }
}

function createListeners() {
  const listeners = new Set<() => void>()
  return {
    tell(): void {
      for (const changed of listeners) changed()
    },
    add(changed: () => void): () => void {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
  }
}

/** Creates an empty client. A query is retried `retries` times before it fails, after 1, 2, 4, … seconds. */
export function createQueryClient({ retries = 2 }: { retries?: number } = {}): QueryClient {
  const { entries, entryOf, update, setAsking, ...subscriptions } = createCacheStore()

  function finishRequest(entry: CacheEntry, change: Partial<QueryState>): void {
    setAsking(entry, null)
    update(entry, { ...change, updates: entry.state.updates + 1 })
  }

  function storeData(entry: CacheEntry, data: unknown, at = Date.now()): void {
    const { data: known } = entry.state
    // If the new data is equal, the old object is kept, so that nothing that depends on it runs again.
    finishRequest(entry, {
      data: known && JSON.stringify(data) === JSON.stringify(known) ? known : data,
      error: null,
      dataUpdatedAt: at,
    })
  }

  function requestData<T>(entry: CacheEntry, query: Query<T>): Promise<T> {
    const isLatestRequest = (): boolean => entry.asking === pendingRequest
    const pendingRequest: Promise<T> = fetchWithRetries(query, retries, isLatestRequest)
    setAsking(entry, pendingRequest)
    if (entry.state.data === undefined && entry.state.error) update(entry, { error: null })
    pendingRequest.then(
      (data) => isLatestRequest() && storeData(entry, data),
      (error: Error) => isLatestRequest() && finishRequest(entry, { error, errorUpdatedAt: Date.now() }),
    )
    return pendingRequest
  }

  const getQueryState = <T>(key: QueryKey<T>): QueryState<T> =>
    (entries.get(hashQueryKey(key))?.state ?? emptyState) as QueryState<T>

  async function fetchQuery<T>(query: Query<T>): Promise<T> {
    const entry = entryOf(query.queryKey)
    const { state, asking } = entry
    if (!isFresh(state, query)) return (asking as Promise<T> | null) ?? requestData(entry, query)
    if (state.data === undefined) throw state.error
    return state.data as T
  }

  return {
    getQueryState,
    fetchQuery,
    getQueryData: (key) => getQueryState(key).data,
    isFetching: (key) => !!entries.get(hashQueryKey(key))?.asking,
    setQueryData: (key, data, at) => storeData(entryOf(key), data, at),
    prefetchQuery: (query) => fetchQuery(query).then(ignoreError, ignoreError),
    refetchQuery: (query) => requestData(entryOf(query.queryKey), query).then(ignoreError, ignoreError),
    answers: () =>
      [...entries.values()].filter(({ state }) => state.data !== undefined).map(({ key, state }) => [key, state.data]),
    clearUnanswered() {
      for (const [hash, { state }] of entries) if (state.data === undefined) entries.delete(hash)
    },
    clearOthers(key) {
      for (const hash of entries.keys()) if (hash !== hashQueryKey(key)) entries.delete(hash)
    },
    ...subscriptions,
  }
}

function isFresh(
  { data, error, dataUpdatedAt, errorUpdatedAt }: QueryState,
  { staleTime = 30_000, retryOnMount }: Query,
): boolean {
  if (data !== undefined) return Date.now() - dataUpdatedAt < staleTime
  return error !== null && retryOnMount === false && Date.now() - errorUpdatedAt < staleTime
}

async function fetchWithRetries<T>({ queryFn, retry }: Query<T>, retries: number, isWanted: () => boolean): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await queryFn()
    } catch (error) {
      if (retry === false || failures >= retries || isClientError(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** failures))
      if (!isWanted()) throw error
    }
  }
}

/** Whether the server understood and rejected the request (4xx), so that retrying would not help. */
const isClientError = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

const ignoreError = (): void => {}
