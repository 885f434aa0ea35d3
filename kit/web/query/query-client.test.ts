import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { createQueryClient, type Query, type QueryClient } from './query-client.ts'

let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers()
  client = createQueryClient()
})
afterEach(() => void vi.useRealTimers())

const key = ['balance', 7]
const broken = new Error('broken')

function asking(...answers: unknown[]) {
  const queryFn = vi.fn<() => Promise<unknown>>(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  return { queryKey: key, queryFn } satisfies Query
}

function slow() {
  const questions: PromiseWithResolvers<unknown>[] = []
  const queryFn = () => {
    const question = Promise.withResolvers<unknown>()
    questions.push(question)
    return question.promise
  }
  return { query: { queryKey: key, queryFn }, questions }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe("how a query's data is cached", () => {
  test("a query's data is stored under its key and returned for an equal key", async () => {
    expect(await client.fetchQuery(asking('ten'))).toBe('ten')
    expect(client.getQueryData(['balance', 7])).toBe('ten')
    expect(client.getQueryData(['balance', 8])).toBeUndefined()
    expect(client.answers()).toEqual([[key, 'ten']])
  })

  test('a query fetches again once its data is stale', async () => {
    const query = asking('ten', 'nine')
    await client.fetchQuery(query)
    await pass(29_999)
    expect(await client.fetchQuery(query)).toBe('ten')
    await pass(1)
    expect(await client.fetchQuery(query)).toBe('nine')
  })

  test('a query can set how long its data stays fresh', async () => {
    const query = { ...asking('ten', 'nine'), staleTime: Infinity }
    await client.fetchQuery(query)
    await pass(1e9)
    expect(await client.fetchQuery(query)).toBe('ten')
    expect(await client.fetchQuery({ ...query, staleTime: 0 })).toBe('nine')
  })

  test('concurrent callers of a query share one fetch', async () => {
    const query = asking('ten')
    expect(await Promise.all([client.fetchQuery(query), client.fetchQuery(query)])).toEqual(['ten', 'ten'])
    expect(query.queryFn).toHaveBeenCalledOnce()
  })

  test('a query keeps the same object if a new fetch returns equal data', async () => {
    const query = asking({ left: 10 }, { left: 10 }, { left: 9 })
    const first = await client.fetchQuery(query)
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toBe(first)
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toEqual({ left: 9 })
  })

  test('a query accepts null as data', async () => {
    const query = asking(null)
    await client.fetchQuery(query)
    await client.fetchQuery(query)
    expect(query.queryFn).toHaveBeenCalledOnce()
    expect(client.answers()).toEqual([[key, null]])
  })
})

describe('setting query data directly', () => {
  test('data that is set directly counts as fresh', async () => {
    client.setQueryData(key, 'ten')
    const query = asking('nine')
    expect(await client.fetchQuery(query)).toBe('ten')
    expect(query.queryFn).not.toHaveBeenCalled()
  })

  test('data that is set directly is not overwritten by a fetch in flight', async () => {
    const { query, questions } = slow()
    const fetched = client.fetchQuery(query)
    client.setQueryData(key, 'set')
    expect(client.getQueryState(key)).toMatchObject({ data: 'set' })
    expect(client.isFetching(key)).toBe(false)
    questions[0]?.resolve('late')
    expect(await fetched).toBe('late')
    expect(client.getQueryData(key)).toBe('set')
  })

  test('setting data stops the retries of a failed fetch', async () => {
    const query = asking(broken, 'late')
    const fetched = client.fetchQuery(query).catch((error: unknown) => error)
    await pass(500)
    client.setQueryData(key, 'set')
    await pass(10_000)
    expect(await fetched).toBe(broken)
    expect(query.queryFn).toHaveBeenCalledOnce()
    expect(client.getQueryState(key)).toMatchObject({ data: 'set', error: null })
  })
})

describe('failed query fetches', () => {
  test('a query reports a failure after two retries, which follow after 1 and 2 seconds', async () => {
    const query = asking(broken, broken, broken)
    const outcome = client.prefetchQuery(query)
    await pass(999)
    expect(query.queryFn).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(query.queryFn).toHaveBeenCalledTimes(2)
    await pass(1_999)
    expect(client.getQueryState(key)).toMatchObject({ error: null })
    expect(client.isFetching(key)).toBe(true)
    await pass(1)
    await outcome
    expect(query.queryFn).toHaveBeenCalledTimes(3)
    expect(client.getQueryState(key)).toMatchObject({ data: undefined, error: broken, updates: 1 })
    expect(client.isFetching(key)).toBe(false)
  })

  test('a retry that succeeds leaves the query without an error', async () => {
    const fetched = client.fetchQuery(asking(broken, 'ten'))
    await pass(1_000)
    expect(await fetched).toBe('ten')
    expect(client.getQueryState(key)).toMatchObject({ error: null, updates: 1 })
  })

  test.each([400, 404, 429])('a query fails immediately on status %i, without retries', async (status) => {
    const refusal = new ApiError(status, {})
    await expect(client.fetchQuery(asking(refusal))).rejects.toBe(refusal)
  })

  test.each([0, 502])('a query retries after a failure with status %i', async (status) => {
    const fetched = client.fetchQuery(asking(new ApiError(status, {}), 'ten'))
    await pass(1_000)
    expect(await fetched).toBe('ten')
  })

  test('a query or the client can turn retries off', async () => {
    await expect(client.fetchQuery({ ...asking(broken), retry: false })).rejects.toBe(broken)
    await expect(createQueryClient({ retries: 0 }).fetchQuery(asking(broken))).rejects.toBe(broken)
  })

  test("a failed fetch does not change the query's earlier data or its timestamp", async () => {
    client.setQueryData(key, 'ten')
    const { dataUpdatedAt } = client.getQueryState(key)
    await pass(40_000)
    await client.prefetchQuery({ ...asking(broken), retry: false })
    expect(client.getQueryState(key)).toMatchObject({
      data: 'ten',
      error: broken,
      dataUpdatedAt,
      errorUpdatedAt: dataUpdatedAt + 40_000,
    })
  })

  test('after a failed fetch, the next caller fetches again, and the error is cleared as soon as that fetch starts', async () => {
    await client.prefetchQuery({ ...asking(broken), retry: false })
    const { query, questions } = slow()
    const outcome = client.prefetchQuery(query)
    expect(client.getQueryState(key)).toMatchObject({ error: null })
    expect(client.isFetching(key)).toBe(true)
    questions[0]?.resolve('ten')
    await outcome
    expect(client.getQueryState(key)).toMatchObject({ data: 'ten', error: null })
  })

  test('with `retryOnMount` off, a query keeps its error for as long as data would stay fresh', async () => {
    const query = { ...asking(broken, 'ten'), retry: false, retryOnMount: false } as const
    await client.prefetchQuery(query)
    await expect(client.fetchQuery(query)).rejects.toBe(broken)
    expect(query.queryFn).toHaveBeenCalledOnce()
    await pass(30_000)
    expect(await client.fetchQuery(query)).toBe('ten')
  })
})

describe('refetching a query', () => {
  test('refetchQuery fetches even if the data is fresh', async () => {
    const query = { ...asking('ten', 'nine'), staleTime: Infinity }
    await client.fetchQuery(query)
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toBe('nine')
  })

  test('refetchQuery also fetches data that is already cached and never becomes stale', async () => {
    client.setQueryData(key, 'ten')
    const query = { ...asking('nine'), staleTime: Infinity }
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toBe('nine')
    expect(query.queryFn).toHaveBeenCalledOnce()
  })

  test('the result of a refetch takes precedence over an older fetch, whichever finishes first', async () => {
    const { query, questions } = slow()
    const older = client.fetchQuery(query)
    const newer = client.refetchQuery(query)
    questions[1]?.resolve('new')
    await newer
    questions[0]?.resolve('old')
    await older
    expect(client.getQueryState(key)).toMatchObject({ data: 'new', updates: 1 })
    expect(client.isFetching(key)).toBe(false)
  })

  test('refetchQuery fetches a query that has no data yet', async () => {
    await client.refetchQuery(asking('ten'))
    expect(client.getQueryState(key)).toMatchObject({ data: 'ten', updates: 1 })
  })

  test("refetchQuery does not throw when it fails, but stores the error in the query's state", async () => {
    const query = { ...asking('ten', broken), retry: false } as const
    await client.fetchQuery(query)
    await client.refetchQuery(query)
    expect(client.getQueryState(key)).toMatchObject({ data: 'ten', error: broken })
  })
})

test('a subscriber is notified of each change until it unsubscribes, and an unchanged state is the same object', async () => {
  const changed = vi.fn<() => void>()
  const leave = client.subscribe(changed)
  const before = client.getQueryState(key)
  expect(client.getQueryState(key)).toBe(before)
  await client.fetchQuery(asking('ten'))
  expect(changed).toHaveBeenCalledTimes(1)
  expect(client.getQueryState(key)).not.toBe(before)
  leave()
  client.setQueryData(key, 'nine')
  expect(changed).toHaveBeenCalledTimes(1)
})

test("starting a fetch notifies only subscribers to fetching, and leaves the query's state unchanged", async () => {
  const [changed, fetching] = [vi.fn<() => void>(), vi.fn<() => void>()]
  client.subscribe(changed)
  const leave = client.subscribeToFetching(fetching)
  const before = client.getQueryState(key)
  const { query, questions } = slow()
  const answer = client.fetchQuery(query)
  expect(client.isFetching(key)).toBe(true)
  expect(client.getQueryState(key)).toBe(before)
  expect(fetching).toHaveBeenCalledTimes(1)
  expect(changed).not.toHaveBeenCalled()
  questions[0]?.resolve('ten')
  await answer
  expect(client.isFetching(key)).toBe(false)
  expect(fetching).toHaveBeenCalledTimes(2)
  leave()
  await client.refetchQuery(asking('nine'))
  expect(fetching).toHaveBeenCalledTimes(2)
})

test('clearUnanswered removes failed and pending queries and keeps those with data', async () => {
  client.setQueryData(['known'], 1)
  await client.prefetchQuery({ ...asking(broken), retry: false })
  void client.fetchQuery({ ...slow().query, queryKey: ['open'] })
  client.clearUnanswered()
  expect(client.getQueryState(key)).toMatchObject({ error: null })
  expect(client.isFetching(['open'])).toBe(false)
  expect(client.answers()).toEqual([[['known'], 1]])
})

test("clearOthers removes all data except one key's, and ignores the results of fetches in flight", async () => {
  client.setQueryData(['account'], 'Ana')
  client.setQueryData(key, 'Ana’s')
  const { query, questions } = slow()
  const late = client.fetchQuery({ ...query, queryKey: ['late'] })
  client.clearOthers(['account'])
  expect(client.answers()).toEqual([[['account'], 'Ana']])
  questions[0]?.resolve('Ana’s')
  await late
  expect(client.getQueryData(['late'])).toBeUndefined()
  expect(await client.fetchQuery(asking('Ben’s'))).toBe('Ben’s')
})
