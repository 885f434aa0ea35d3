import { act, render, screen } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQueryClient, type Query, type QueryClient } from './query-client.ts'
import { QueryClientProvider, useIsFetching, useQuery } from './use-query.tsx'
import { useMutation } from './use-mutation.ts'

let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers()
  client = createQueryClient({ retries: 0 })
})
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const text = () => screen.getByRole('status').textContent

function Shown({ query }: { query: Query<string> }): ReactNode {
  const { data, error, isPending, isError, refetch } = useQuery(query)
  const isFetching = useIsFetching(query)
  return (
    <>
      <output>
        {[isPending && 'waiting', data, isError && error?.message, isFetching && 'asking'].filter(Boolean).join(', ')}
      </output>
      <button type="button" onClick={() => void refetch()}>
        Again
      </button>
    </>
  )
}

const tree = (query: Query<string>) => (
  <StrictMode>
    <QueryClientProvider client={client}>
      <Shown query={query} />
    </QueryClientProvider>
  </StrictMode>
)

const asking = (answer: () => string, more: Partial<Query<string>> = {}) => {
  const queryFn = vi.fn<() => Promise<string>>(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return answer()
  })
  return { queryKey: ['name'], queryFn, ...more } satisfies Query<string>
}

const refuse = () => {
  throw new Error('no')
}

describe('useQuery: query data in components', () => {
  test('useQuery fetches once when the page appears, and shows the data when it arrives', async () => {
    const query = asking(() => 'Ana')
    render(tree(query))
    expect(text()).toBe('waiting, asking')
    await pass(1_000)
    expect(text()).toBe('Ana')
    expect(query.queryFn).toHaveBeenCalledOnce()
  })

  test('useQuery shows cached data, and fetches again only if the data is stale', async () => {
    client.setQueryData(['name'], 'Ana')
    const query = asking(() => 'Ben')
    render(tree(query)).unmount()
    expect(query.queryFn).not.toHaveBeenCalled()
    await pass(30_000)
    render(tree(query))
    expect(text()).toBe('Ana, asking')
    await pass(1_000)
    expect(text()).toBe('Ben')
  })

  test('useQuery shows data that was set elsewhere', async () => {
    render(tree(asking(() => 'Ana')))
    await act(async () => client.setQueryData(['name'], 'Ben'))
    expect(text()).toBe('Ben')
  })

  test('useQuery fetches again when its key changes', async () => {
    const { rerender } = render(tree(asking(() => 'Ana')))
    await pass(1_000)
    rerender(tree(asking(() => 'a house', { queryKey: ['place'] })))
    expect(text()).toBe('waiting, asking')
    await pass(1_000)
    expect(text()).toBe('a house')
  })

  test('useQuery does not fetch while it is disabled', async () => {
    const query = asking(() => 'Ana')
    const { rerender } = render(tree({ ...query, enabled: false }))
    await pass(5_000)
    expect(query.queryFn).not.toHaveBeenCalled()
    expect(text()).toBe('waiting')
    rerender(tree(query))
    await pass(1_000)
    expect(text()).toBe('Ana')
  })

  test('useQuery shows an error, and lets the customer try again', async () => {
    let isUp = false
    render(tree(asking(() => (isUp ? 'Ana' : refuse()))))
    await pass(1_000)
    expect(text()).toBe('no')
    isUp = true
    await act(async () => screen.getByRole('button').click())
    expect(text()).toBe('waiting, asking')
    await pass(1_000)
    expect(text()).toBe('Ana')
  })

  test('useQuery does not fetch on the server, which renders the cached data', () => {
    const query = asking(() => 'Ana')
    expect(renderToString(tree(query))).toContain('<output>waiting</output>')
    client.setQueryData(['name'], 'Ana')
    expect(renderToString(tree(query))).toContain('<output>Ana</output>')
    expect(query.queryFn).not.toHaveBeenCalled()
  })
})

describe('polling a query', () => {
  test('a query polls until its page is left, even after failures, and the interval can depend on the data', async () => {
    const answers = ['slow', 'slow', '', 'fast', 'fast', 'fast']
    const answer = () => answers.shift() || refuse()
    const queryFn = vi.fn<() => Promise<string>>(async () => answer())
    const query = {
      queryKey: ['name'],
      queryFn,
      staleTime: Infinity,
      refetchInterval: (known?: string) => (known === 'fast' ? 100 : 3_000),
    }
    const { unmount } = render(tree(query))
    await pass(0)
    await pass(2_999)
    expect(queryFn).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(queryFn).toHaveBeenCalledTimes(2)
    await pass(3_000)
    expect(text()).toBe('slow, no')
    await pass(3_000)
    expect(text()).toBe('fast')
    await pass(200)
    expect(queryFn).toHaveBeenCalledTimes(6)
    unmount()
    await pass(60_000)
    expect(queryFn).toHaveBeenCalledTimes(6)
  })

  test('polling waits for a response that takes longer than the interval', async () => {
    const query = asking(() => 'Ana', { refetchInterval: () => 300 })
    render(tree(query))
    await pass(999)
    expect(query.queryFn).toHaveBeenCalledOnce()
    await pass(1)
    expect(text()).toBe('Ana')
    await pass(300)
    expect(query.queryFn).toHaveBeenCalledTimes(2)
  })
})

describe("useMutation: a mutation's state", () => {
  function Act({ work, onSuccess }: { work: () => Promise<string>; onSuccess?: (answer: string) => void }) {
    const { mutate, error, isPending, isSuccess } = useMutation({ mutationFn: work, ...(onSuccess && { onSuccess }) })
    return (
      <>
        <output>{[isPending && 'under way', isSuccess && 'done', error?.message].filter(Boolean).join(', ')}</output>
        <button type="button" onClick={() => void mutate()}>
          Do it
        </button>
      </>
    )
  }

  test("reports a mutation's progress, and clears its error on the next attempt", async () => {
    const work = vi.fn<() => Promise<string>>()
    const onSuccess = vi.fn<(answer: string) => void>()
    render(<Act work={work} onSuccess={onSuccess} />)
    expect(text()).toBe('')
    const press = () => screen.getByRole('button').click()
    work.mockReturnValueOnce(new Promise((_, reject) => setTimeout(() => reject(new Error('no')), 50)))
    await act(async () => press())
    expect(text()).toBe('under way')
    await pass(50)
    expect(text()).toBe('no')
    work.mockReturnValueOnce(new Promise((resolve) => setTimeout(() => resolve('yes'), 50)))
    await act(async () => press())
    expect(text()).toBe('under way')
    await pass(50)
    expect(text()).toBe('done')
    expect(onSuccess).toHaveBeenCalledExactlyOnceWith('yes')
  })
})
