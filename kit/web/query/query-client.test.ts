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

/** A query that answers as told, one answer for each question; an Error is thrown. */
function asking(...answers: unknown[]) {
  const queryFn = vi.fn<() => Promise<unknown>>(async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  return { queryKey: key, queryFn } satisfies Query
}

/** Queries whose answers come when the test says so, in any order. */
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

describe('an answer', () => {
  test('is kept under its key, however the key is written', async () => {
    expect(await client.fetchQuery(asking('ten'))).toBe('ten')
    expect(client.getQueryData(['balance', 7])).toBe('ten')
    expect(client.getQueryData(['balance', 8])).toBeUndefined()
    expect(client.answers()).toEqual([[key, 'ten']])
  })

  test('is asked for again once it has grown old', async () => {
    const query = asking('ten', 'nine')
    await client.fetchQuery(query)
    await pass(29_999)
    expect(await client.fetchQuery(query)).toBe('ten')
    await pass(1)
    expect(await client.fetchQuery(query)).toBe('nine')
  })

  test('is good for as long as its query says', async () => {
    const query = { ...asking('ten', 'nine'), staleTime: Infinity }
    await client.fetchQuery(query)
    await pass(1e9)
    expect(await client.fetchQuery(query)).toBe('ten')
    expect(await client.fetchQuery({ ...query, staleTime: 0 })).toBe('nine')
  })

  test('is asked for once by all who want it at a time', async () => {
    const query = asking('ten')
    expect(await Promise.all([client.fetchQuery(query), client.fetchQuery(query)])).toEqual(['ten', 'ten'])
    expect(query.queryFn).toHaveBeenCalledOnce()
  })

  test('that says the same is the same object', async () => {
    const query = asking({ left: 10 }, { left: 10 }, { left: 9 })
    const first = await client.fetchQuery(query)
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toBe(first)
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toEqual({ left: 9 })
  })

  test('null is one', async () => {
    const query = asking(null)
    await client.fetchQuery(query)
    await client.fetchQuery(query)
    expect(query.queryFn).toHaveBeenCalledOnce()
    expect(client.answers()).toEqual([[key, null]])
  })
})

describe('what is set', () => {
  test('is an answer of this moment', async () => {
    client.setQueryData(key, 'ten')
    const query = asking('nine')
    expect(await client.fetchQuery(query)).toBe('ten')
    expect(query.queryFn).not.toHaveBeenCalled()
  })

  test('is not overwritten by an answer that was on its way', async () => {
    const { query, questions } = slow()
    const fetched = client.fetchQuery(query)
    client.setQueryData(key, 'set')
    expect(client.getQueryState(key)).toMatchObject({ data: 'set' })
    expect(client.isFetching(key)).toBe(false)
    questions[0]?.resolve('late')
    expect(await fetched).toBe('late')
    expect(client.getQueryData(key)).toBe('set')
  })

  test('ends the tries of a question that had failed', async () => {
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

describe('a failure', () => {
  test('is told after two more tries, 1 and 2 seconds later', async () => {
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

  test('that a further try has cured was none', async () => {
    const fetched = client.fetchQuery(asking(broken, 'ten'))
    await pass(1_000)
    expect(await fetched).toBe('ten')
    expect(client.getQueryState(key)).toMatchObject({ error: null, updates: 1 })
  })

  test.each([400, 404, 429])('%i is told at once: the server has said no', async (status) => {
    const refusal = new ApiError(status, {})
    await expect(client.fetchQuery(asking(refusal))).rejects.toBe(refusal)
  })

  test.each([0, 502])('%i is tried again', async (status) => {
    const fetched = client.fetchQuery(asking(new ApiError(status, {}), 'ten'))
    await pass(1_000)
    expect(await fetched).toBe('ten')
  })

  test('is told at once where its query says so, or the client', async () => {
    await expect(client.fetchQuery({ ...asking(broken), retry: false })).rejects.toBe(broken)
    await expect(createQueryClient({ retries: 0 }).fetchQuery(asking(broken))).rejects.toBe(broken)
  })

  test('leaves what was known, and the moment that came', async () => {
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

  test('is asked about again by the next that wants the answer, and meanwhile it is none', async () => {
    await client.prefetchQuery({ ...asking(broken), retry: false })
    const { query, questions } = slow()
    const outcome = client.prefetchQuery(query)
    expect(client.getQueryState(key)).toMatchObject({ error: null })
    expect(client.isFetching(key)).toBe(true)
    questions[0]?.resolve('ten')
    await outcome
    expect(client.getQueryState(key)).toMatchObject({ data: 'ten', error: null })
  })

  test('may stand as long as an answer would', async () => {
    const query = { ...asking(broken, 'ten'), retry: false, retryOnMount: false } as const
    await client.prefetchQuery(query)
    await expect(client.fetchQuery(query)).rejects.toBe(broken)
    expect(query.queryFn).toHaveBeenCalledOnce()
    await pass(30_000)
    expect(await client.fetchQuery(query)).toBe('ten')
  })
})

describe('asking anew', () => {
  test('asks, however good the answer still is', async () => {
    const query = { ...asking('ten', 'nine'), staleTime: Infinity }
    await client.fetchQuery(query)
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toBe('nine')
  })

  test('asks about an answer that came with the page', async () => {
    client.setQueryData(key, 'ten')
    const query = { ...asking('nine'), staleTime: Infinity }
    await client.refetchQuery(query)
    expect(client.getQueryData(key)).toBe('nine')
    expect(query.queryFn).toHaveBeenCalledOnce()
  })

  test('counts for more than an older question, whichever is answered first', async () => {
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

  test('of what was never asked for is asking', async () => {
    await client.refetchQuery(asking('ten'))
    expect(client.getQueryState(key)).toMatchObject({ data: 'ten', updates: 1 })
  })

  test('tells of a failure in the state only', async () => {
    const query = { ...asking('ten', broken), retry: false } as const
    await client.fetchQuery(query)
    await client.refetchQuery(query)
    expect(client.getQueryState(key)).toMatchObject({ data: 'ten', error: broken })
  })
})

test('each change is told until the last listener has gone, and what has not changed stays the same object', async () => {
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

test('that it is asked for is no change of its state, and told to those alone who listen for that', async () => {
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

test('only answers are left when the rest is forgotten', async () => {
  client.setQueryData(['known'], 1)
  await client.prefetchQuery({ ...asking(broken), retry: false })
  void client.fetchQuery({ ...slow().query, queryKey: ['open'] })
  client.clearUnanswered()
  expect(client.getQueryState(key)).toMatchObject({ error: null })
  expect(client.isFetching(['open'])).toBe(false)
  expect(client.answers()).toEqual([[['known'], 1]])
})

test('everything but one answer can be forgotten, and asked for anew', async () => {
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
