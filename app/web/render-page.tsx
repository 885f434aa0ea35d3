import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { matchPage, type Pages, wholeTable } from '#kit/web/page.ts'
import { createQueryClient, type Query } from '#kit/web/query/query-client.ts'
import { prepare } from '#kit/web/router/prepare.ts'
import { redirectOf } from '#kit/web/router/redirect.ts'
import { isMissing, tabTitle, titleOf } from '#kit/web/router/title.ts'
import { modulesOf } from '../render/chunks.ts'
import { Portal } from './Portal.tsx'
import type { PageState } from './state.ts'

export type RenderRequest = {
  /** Path and search as the request line has them. */
  url: string
  /** The API in process, as this visitor. */
  api: Api
  bootstrap: Bootstrap
  /** Told of a page that could not be rendered here; the browser then tries. */
  onError(error: unknown): void
}

export type Rendered =
  | { status: 302; location: string }
  | { status: 200 | 404 | 500; html: string; title: string; state: PageState; modules: string[] }

/** A page may wait this long for its data, and this long again for code that it loads lazily; in milliseconds. */
const timeoutMs = 3_000

/**
 * Renders the page of a URL for one visitor. Everything of this visitor lives in this call. `everywhere` is what every
 * page shows, beside what each needs itself.
 */
export async function renderPage(
  pages: Pages,
  { url, bootstrap, ...request }: RenderRequest,
  everywhere: (api: Api) => Query[] = () => [],
): Promise<Rendered> {
  const api = answeringHere(request.api)
  const onError = once(request.onError)
  const place = placeOf(url)
  const match = matchPage(pages, place.path)
  const client = createQueryClient({ retries: 0 })
  const { title, status } = match.page
  const line = { title, status, params: match.params }
  const page = { modules: modulesOf(match.page), title: tabTitle(title, bootstrap.brand) }
  try {
    if (match.canonical === null) await prepare(match, api, client, { everywhere: everywhere(api), timeoutMs, onError })
    const location = redirectOf(match, place, client)
    if (location !== null) return { status: 302, location }
    const html = await markupOf(<Portal {...{ table: wholeTable(pages), api, bootstrap, client, place }} />, onError)
    return {
      ...page,
      title: tabTitle(titleOf(match, place, client), bootstrap.brand),
      status: isMissing(match, client) ? 404 : 200,
      html,
      state: { queries: client.answers(), page: line, rendered: true },
    }
  } catch (error) {
    onError(error)
    return { ...page, status: 500, html: '', state: { queries: [], page: line, rendered: false } }
  }
}

/** The markup inside the root. It holds no script: the page's policy would not let it run. */
async function markupOf(portal: ReactNode, onError: (error: unknown) => void): Promise<string> {
  const { prelude } = await prerenderToNodeStream(portal, {
    // Also told of what only costs a part of the page.
    onError,
    signal: AbortSignal.timeout(timeoutMs),
    // Past this size React would move a part to the end of the page, and an inline script would put it back.
    progressiveChunkSize: Infinity,
  })
  return text(prelude)
}

/** The portal on the server is a bundle with an ApiError of its own: what the server's API throws is none to it. */
function answeringHere(api: Api): Api {
  return {
    call: (endpoint, input) =>
      api.call(endpoint, input).catch((error: unknown) => {
        const refused = error instanceof Error && error.name === 'ApiError' && 'status' in error && 'body' in error
        throw refused ? new ApiError(Number(error.status), error.body) : error
      }),
  }
}

/** React tells of an error and then throws it. */
function once(tell: (error: unknown) => void): (error: unknown) => void {
  const told = new Set<unknown>()
  return (error) => {
    if (!told.has(error)) tell(error)
    told.add(error)
  }
}

function placeOf(url: string): { path: string; search: string } {
  const end = url.indexOf('?')
  return end < 0 ? { path: url, search: '' } : { path: url.slice(0, end), search: url.slice(end + 1) }
}
