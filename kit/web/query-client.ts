import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../contract/errors.ts'

/** The cache of what the API answered: one for each request that is rendered, one for each tab. */
export function createQueryClient({ retries = 2 }: { retries?: number } = {}): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // What came with the page, or just now, is not asked for again.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // Without a network a query fails and says so, rather than waiting for ever.
        networkMode: 'always',
        retry: (failures, error) => failures < retries && !isRefusal(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/** The server has understood and said no; asking again changes nothing. */
const isRefusal = (error: Error): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500
