import type { Api } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Match } from '../page.ts'
import type { Query, QueryClient, QueryKey } from '../query/query-client.ts'
import { getLoadedPageLoader, loadPage } from './page-modules.ts'

type PrepareOptions = {
  search: string
  everywhere: Query[]
  timeoutMs: number
  /** Settles once the visitor is known. The time limit starts then, so that a slow lookup does not result in an empty page. */
  visitor?: Promise<unknown> | undefined
  onError: (error: unknown) => void
}

/**
 * Before a page renders, loads its code, its queries' data and the data that all pages need. A query that fails or takes longer than
 * `timeoutMs` milliseconds is left out, and the browser requests it again. `onError` receives every error that is not an ApiError. Returns
 * the keys whose data is only part of what the browser needs.
 */
export async function preparePage(
  { page, params }: Match,
  api: Api,
  client: QueryClient,
  { search, everywhere, timeoutMs, visitor, onError }: PrepareOptions,
): Promise<QueryKey[]> {
  await loadPage(page)
  const queries = [...everywhere, ...(getLoadedPageLoader(page)?.queries?.(api, params, search) ?? [])].filter(
    ({ enabled }) => enabled !== false,
  )
  const pendingQueries = queries.map((query) =>
    client.fetchQuery(query).catch((error: unknown) => {
      if (!(error instanceof ApiError)) onError(error)
    }),
  )
  await Promise.allSettled([visitor])
  await waitWithTimeout(timeoutMs, Promise.all(pendingQueries))
  client.clearUnanswered()
  const hasPartialData = ({ queryKey, isPart: looksPartial }: Query): boolean => {
    const data = client.getQueryData(queryKey)
    return data !== undefined && looksPartial?.(data) === true
  }
  return queries.filter(hasPartialData).map(({ queryKey }) => queryKey)
}

async function waitWithTimeout(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
