import type { ComponentType } from 'react'
import type { Api } from '../contract/endpoint.ts'
import type { Query, QueryClient } from './query/query-client.ts'

export type Params = Record<string, string>

export type PageLocation = { path: string; search: string; params: Params }

export type PageProps = { params: Params }

/**
 * A page's loader, which several pages can share. When a visitor moves between pages that share a loader, the redirect is decided and the
 * data is requested before the next page's own code arrives.
 */
export type PageLoader = {
  queries?: (api: Api, params: Params, search: string) => Query[]
  /**
   * Returns the address to which this visitor is redirected, or null. The function must be pure: it reads the queries' data from the
   * client, both on the server (302) and in the browser (replace). In the browser, it runs again whenever the data changes. A failed query
   * has no data.
   */
  redirect?: (client: QueryClient, place: PageLocation) => string | null
  notFound?: (client: QueryClient, params: Params) => boolean
  /** Returns the page's title if it depends on query data, or null to use the title from the page table. */
  title?: (client: QueryClient, place: PageLocation) => string | null
}

export const notFoundTitle = 'Not Found'

/**
 * An entry in the page table. Every visitor downloads the table after the first page has started, so it must not import pages or contracts,
 * whose schemas would be downloaded too.
 */
export type PageEntry = {
  path: string | RegExp
  title: string
  /** Loads the page itself. Write `component` and `loader` as `() => import('…')`, because the build also parses this source code. */
  component: () => Promise<{ default: ComponentType<PageProps> }>
  loader?: () => Promise<PageLoader>
  status?: 404
  /** The source files behind `component` and `loader`. The build adds them so that the server knows the page's chunks. */
  componentModule?: string
  loaderModule?: string
}

type Page = PageEntry & { pattern: RegExp }
export type Pages = readonly Page[]

/**
 * The page that matches a path. `canonical` is the path's correct form if the only difference is a missing or extra trailing slash;
 * otherwise `null`.
 */
export type Match<P = Page> = { page: P; params: Params; canonical: string | null }

export type MatchedPage = Match<Omit<PageEntry, 'path'>>

export type RouteTable = {
  /** Returns the page for a path, or the not-found page if no other page matches; `null` while the matching page is not known yet. */
  match(path: string): MatchedPage | null
  complete(): Promise<void>
}

export const createRouteTable = (pages: Pages): RouteTable => ({
  match: (path) => matchPage(pages, path),
  complete: async () => {},
})

/**
 * Creates the page table. The first entry that matches a path applies.
 * @throws Error unless the last entry is the not-found page, so that every path has a page
 */
export function definePages(entries: readonly PageEntry[]): Pages {
  const pages = entries.map((entry) => ({ ...entry, pattern: toPattern(entry.path) }))
  const last = pages.at(-1)
  if (last?.status !== 404 || !last.pattern.test(''))
    throw new Error('The last page must match every path and have status 404.')
  return pages
}

export function matchPage(pages: Pages, path: string): Match {
  const exact = findMatch(pages, path)
  if (exact.page.status !== 404) return exact
  const canonicalPath = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const canonicalMatch = findMatch(pages, canonicalPath)
  return canonicalMatch.page.status === 404 ? exact : { ...canonicalMatch, canonical: canonicalPath }
}

function findMatch(pages: Pages, path: string): Match {
  for (const page of pages) {
    const params = toParams(page.pattern.exec(path))
    if (params) return { page, params, canonical: null }
  }
  throw new Error('A table of pages without a not-found page')
}

function toParams(found: RegExpExecArray | null): Params | null {
  if (!found) return null
  try {
    const namedGroups = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined)
    return Object.fromEntries(namedGroups.map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return null
  }
}

function toPattern(path: string | RegExp): RegExp {
  if (path instanceof RegExp) return path
  const source = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${source}$`)
}
