import { ApiError } from '#kit/contract/errors.ts'

/** Names an answer; keys are the same when their JSON is. `T` is what is kept under it. */
export type QueryKey<T = unknown> = readonly unknown[] & { readonly answer?: T }

/** A question to the API: what its answer is called, how to ask, and for how long the answer is good. */
export type Query<T = unknown> = {
  queryKey: QueryKey<T>
  queryFn: () => Promise<T>
  /** For so many milliseconds an answer is not asked for again; 30 seconds unless this says otherwise. */
  staleTime?: number
  /** False: not asked now. */
  enabled?: boolean
  /** False: the first failure is told. Otherwise two more tries come first, unless the server has said no. */
  retry?: false
  /** False: a failure stands as long as an answer would. Otherwise the next that needs the answer asks again. */
  retryOnMount?: false
  /** Whether an answer that the server rendered a page with is only a part: then the browser asks for the whole at once. */
  isPart?(data: T): boolean
  /** Milliseconds after which a page that shows the answer asks again; undefined to stop. */
  refetchInterval?(data: T | undefined): number | undefined
}

/** What is known of an answer. It is another object whenever anything of it is different. */
export type QueryState<T = unknown> = {
  data: T | undefined
  /** Why it could not be had the last time; null when it could. */
  error: Error | null
  /** When the data came, and when it last failed to; by this side's own clock, in milliseconds. */
  dataUpdatedAt: number
  errorUpdatedAt: number
  /** How often it has been answered or has failed. */
  updates: number
}

/** What the API has answered: one for each request that is rendered, one for each tab. */
export type QueryClient = {
  getQueryData<T>(key: QueryKey<T>): T | undefined
  getQueryState<T>(key: QueryKey<T>): QueryState<T>
  /** Whether it is being asked for. That is no part of its state: who shows an answer need not render again for it. */
  isFetching(key: QueryKey): boolean
  /**
   * Knows better than the server's last answer, and than one that is still on its way. `at`: when it came, where that was before now, in
   * milliseconds; what is older than an answer is good is shown, and asked for again by whoever shows it.
   */
  setQueryData<T>(key: QueryKey<T>, data: T, at?: number): void
  /** The answer if it is still good, else a new one; all that ask meanwhile get the same. @throws what the query does */
  fetchQuery<T>(query: Query<T>): Promise<T>
  /** Fetches as `fetchQuery` does, for callers that read the answer from the client: done when there is an answer or a failure. */
  prefetchQuery(query: Query): Promise<void>
  /** Asks anew, whatever is known or on its way; done when there is an answer or a failure. */
  refetchQuery(query: Query): Promise<void>
  /** Every answer with its key. */
  answers(): [QueryKey, unknown][]
  /** Clears what has failed or is still on its way. */
  clearUnanswered(): void
  /** Clears everything but the answer of this key: what one visitor was told is not for the next. */
  clearOthers(key: QueryKey): void
  /** Calls `changed` after each change of any answer, until the function it returns is called. */
  subscribe(changed: () => void): () => void
  /** The same of what is being asked for. */
  subscribeToFetching(changed: () => void): () => void
}

type Entry = { key: QueryKey; state: QueryState; asking: Promise<unknown> | null }

const nothing: QueryState = {
  data: undefined,
  error: null,
  dataUpdatedAt: 0,
  errorUpdatedAt: 0,
  updates: 0,
}

/** A query as it stands, its type told by how it is asked. */
export const queryOptions = <T>(query: Query<T>): Query<T> => query

/** How a key is known: `hashOf(a) === hashOf(b)` for the same key. */
export const hashOf = (key: QueryKey): string => JSON.stringify(key)

/** What is known, by the hash of its key, and who is told of changes. */
function createEntries() {
  const entries = new Map<string, Entry>()
  const listeners = createListeners()
  const fetching = createListeners()
  return {
    entries,
    entryOf(key: QueryKey): Entry {
      const hash = hashOf(key)
      const entry = entries.get(hash) ?? { key, state: nothing, asking: null }
      entries.set(hash, entry)
      return entry
    },
    update(entry: Entry, change: Partial<QueryState>): void {
      entry.state = { ...entry.state, ...change }
      listeners.tell()
    },
    setAsking(entry: Entry, asking: Entry['asking']): void {
      entry.asking = asking
      fetching.tell()
    },
    subscribe: listeners.add,
    subscribeToFetching: fetching.add,
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

/** An empty one. A query is tried again `retries` times before it fails, after 1 second and then 2, 4 and so on. */
export function createQueryClient({ retries = 2 }: { retries?: number } = {}): QueryClient {
  const { entries, entryOf, update, setAsking, ...subscriptions } = createEntries()

  function finish(entry: Entry, change: Partial<QueryState>): void {
    setAsking(entry, null)
    update(entry, { ...change, updates: entry.state.updates + 1 })
  }

  function answered(entry: Entry, data: unknown, at = Date.now()): void {
    const { data: known } = entry.state
    // What says the same stays the same object: nothing that depends on it need be done again.
    finish(entry, {
      data: known && JSON.stringify(data) === JSON.stringify(known) ? known : data,
      error: null,
      dataUpdatedAt: at,
    })
  }

  function ask<T>(entry: Entry, query: Query<T>): Promise<T> {
    const isNewest = (): boolean => entry.asking === asking
    const asking: Promise<T> = tryOften(query, retries, isNewest)
    setAsking(entry, asking)
    if (entry.state.data === undefined && entry.state.error) update(entry, { error: null })
    asking.then(
      (data) => isNewest() && answered(entry, data),
      (error: Error) => isNewest() && finish(entry, { error, errorUpdatedAt: Date.now() }),
    )
    return asking
  }

  const getQueryState = <T>(key: QueryKey<T>): QueryState<T> =>
    (entries.get(hashOf(key))?.state ?? nothing) as QueryState<T>

  async function fetchQuery<T>(query: Query<T>): Promise<T> {
    const entry = entryOf(query.queryKey)
    const { state, asking } = entry
    if (!isGood(state, query)) return (asking as Promise<T> | null) ?? ask(entry, query)
    if (state.data === undefined) throw state.error
    return state.data as T
  }

  return {
    getQueryState,
    fetchQuery,
    getQueryData: (key) => getQueryState(key).data,
    isFetching: (key) => !!entries.get(hashOf(key))?.asking,
    setQueryData: (key, data, at) => answered(entryOf(key), data, at),
    prefetchQuery: (query) => fetchQuery(query).then(ignore, ignore),
    refetchQuery: (query) => ask(entryOf(query.queryKey), query).then(ignore, ignore),
    answers: () =>
      [...entries.values()].filter(({ state }) => state.data !== undefined).map(({ key, state }) => [key, state.data]),
    clearUnanswered() {
      for (const [hash, { state }] of entries) if (state.data === undefined) entries.delete(hash)
    },
    clearOthers(key) {
      for (const hash of entries.keys()) if (hash !== hashOf(key)) entries.delete(hash)
    },
    ...subscriptions,
  }
}

/** Whether what is known needs no asking. */
function isGood(
  { data, error, dataUpdatedAt, errorUpdatedAt }: QueryState,
  { staleTime = 30_000, retryOnMount }: Query,
): boolean {
  if (data !== undefined) return Date.now() - dataUpdatedAt < staleTime
  return error !== null && retryOnMount === false && Date.now() - errorUpdatedAt < staleTime
}

async function tryOften<T>({ queryFn, retry }: Query<T>, retries: number, isWanted: () => boolean): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await queryFn()
    } catch (error) {
      if (retry === false || failures >= retries || isRefusal(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** failures))
      if (!isWanted()) throw error
    }
  }
}

/** The server has understood and said no; asking again changes nothing. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500

const ignore = (): void => {}
