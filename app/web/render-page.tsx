import { text } from 'node:stream/consumers'
import type { ComponentType, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { setZoneClock } from '#kit/contract/zone-clock.ts'
import { type Match, matchPage, type Pages, createRouteTable } from '#kit/web/page.ts'
import {
  createQueryClient,
  hashQueryKey,
  type Query,
  type QueryClient,
  type QueryKey,
} from '#kit/web/query/query-client.ts'
import { preparePage } from '#kit/web/router/prepare-page.ts'
import { findRedirect } from '#kit/web/router/redirect.ts'
import { isPageMissing, formatTabTitle, getPageTitle } from '#kit/web/router/title.ts'
import { listModules } from '../render/chunks.ts'
import type { ShellProps } from './Portal.tsx'
import type { PageState } from './page-state.ts'

export type RenderRequest = {
  url: string
  api: Api
  bootstrap: Bootstrap
  visitor?: Promise<unknown> | undefined
  onError(error: unknown): void
}

export type RenderedPage =
  | { status: 302; location: string }
  | { status: 200 | 404 | 500; html: string; title: string; state: PageState; modules: string[]; parts: string[] }

/** Maximum milliseconds that a page waits for its data once the visitor is known. The same limit applies again to lazily loaded code. */
const timeoutMs = 3_000

export type AdditionalData = {
  everywhere?(api: Api): Query[]
  kept?(api: Api, match: Match): Promise<StoredData | null>
}

export type StoredData = {
  answers: [key: QueryKey, data: unknown][]
  parts: string[]
}

/** Renders a page for one visitor. All of the visitor's data is local to this call, so it cannot reach anyone else. */
export async function renderPage(
  Shell: ComponentType<ShellProps>,
  pages: Pages,
  { url, bootstrap, visitor, ...request }: RenderRequest,
  { everywhere = () => [], kept = async () => null }: AdditionalData = {},
): Promise<RenderedPage> {
  // The server's bundle has its own copy of the clock module, which must be set so that the server renders the same times as the browser.
  setZoneClock(bootstrap.zoneClock)
  const api = convertApiErrors(request.api)
  const onError = reportEachErrorOnce(request.onError)
  const place = splitUrl(url)
  const match = matchPage(pages, place.path)
  const client = createQueryClient({ retries: 0 })
  const { title, status } = match.page
  const pageEntry = { title, status, params: match.params }
  const page = { modules: listModules(match.page), parts: [], title: formatTabTitle(title, bootstrap.brand) }
  try {
    const { search } = place
    const pendingStoredData = match.canonical === null ? kept(api, match).catch(() => null) : null
    const parts =
      match.canonical === null
        ? await preparePage(match, api, client, { search, everywhere: everywhere(api), timeoutMs, visitor, onError })
        : []
    const location = findRedirect(match, place, client)
    if (location !== null) return { status: 302, location }
    const storedData = await pendingStoredData
    for (const answer of storedData?.answers ?? []) client.setQueryData(...answer)
    const html = await renderMarkup(
      <Shell {...{ table: createRouteTable(pages), api, bootstrap, client, place }} />,
      onError,
    )
    return {
      ...page,
      parts: storedData?.parts ?? [],
      title: formatTabTitle(getPageTitle(match, place, client), bootstrap.brand),
      status: isPageMissing(match, client) ? 404 : 200,
      html,
      state: {
        queries: initialQueries(client, [...parts, ...(storedData?.answers ?? []).map(([key]) => key)]),
        page: pageEntry,
        rendered: true,
      },
    }
  } catch (error) {
    onError(error)
    return { ...page, status: 500, html: '', state: { queries: [], page: pageEntry, rendered: false } }
  }
}

/**
 * Query data that is sent with the page. Data from the queries in `old` is out of date or incomplete. Such data gets the update time 0, so
 * that the browser requests it again.
 */
function initialQueries(client: QueryClient, old: QueryKey[]): PageState['queries'] {
  const hashes = new Set(old.map(hashQueryKey))
  return client.answers().map(([key, data]) => (hashes.has(hashQueryKey(key)) ? [key, data, 0] : [key, data]))
}

const renderMarkup = async (shell: ReactNode, onError: (error: unknown) => void): Promise<string> =>
  renderSynchronously(shell) ?? (await renderWithTimeout(shell, onError))

/**
 * Renders a page synchronously, which takes half the time. `null` if lazy code has not been loaded or part of the page
 * failed, because this renderer does not report such errors.
 */
function renderSynchronously(shell: ReactNode): string | null {
  try {
    const html = renderToString(shell)
    return /<!--\$[!?]/.test(html) ? null : html
  } catch {
    return null
  }
}

async function renderWithTimeout(shell: ReactNode, onError: (error: unknown) => void): Promise<string> {
  const { prelude } = await prerenderToNodeStream(shell, {
    onError,
    signal: AbortSignal.timeout(timeoutMs),
    /*
     * React must not move large parts to the end of the page. It would need an inline script to move them back, and the
     * Content-Security-Policy blocks those.
     */
    progressiveChunkSize: Infinity,
  })
  return text(prelude)
}

/** Converts errors thrown by the in-process API to this bundle's own copy of the `ApiError` class. */
function convertApiErrors(api: Api): Api {
  return {
    call: (endpoint, input) =>
      api.call(endpoint, input).catch((error: unknown) => {
        const isApiError = error instanceof Error && error.name === 'ApiError' && 'status' in error && 'body' in error
        throw isApiError ? new ApiError(Number(error.status), error.body) : error
      }),
  }
}

/** Reports each error only once, because React reports an error first and then throws it as well. */
function reportEachErrorOnce(tell: (error: unknown) => void): (error: unknown) => void {
  const reportedErrors = new Set<unknown>()
  return (error) => {
    if (!reportedErrors.has(error)) tell(error)
    reportedErrors.add(error)
  }
}

function splitUrl(url: string): { path: string; search: string } {
  const end = url.indexOf('?')
  return end < 0 ? { path: url, search: '' } : { path: url.slice(0, end), search: url.slice(end + 1) }
}
