import type { ComponentType } from 'react'
import type { Api } from '../contract/endpoint.ts'
import type { Query, QueryClient } from './query/query-client.ts'

/** The named parts of a path, decoded. */
export type Params = Record<string, string>

/** Where a visitor is: the path as the address bar has it, the search without its `?`. */
export type Place = { path: string; search: string; params: Params }

export type PageProps = { params: Params }

/**
 * What a page asks for before it shows, and who may see it: what a page's `needs` module exports. Pages may share one;
 * then its redirect is decided, and its data under way, before the next page's own code has come.
 */
export type PageNeeds = {
  /** What the server waits for before it renders, and the browser before it shows the page. */
  queries?: (api: Api, params: Params, search: string) => Query[]
  /**
   * Where this visitor goes instead, or null. Pure: it reads what the queries left in the client, on the server (302)
   * and in the browser (replace), there again whenever their data changes. A query that failed has left nothing.
   */
  redirect?: (client: QueryClient, place: Place) => string | null
  /** Whether the path names something that is not there: the page says so, and the server answers 404. By what the queries left, too. */
  missing?: (client: QueryClient, params: Params) => boolean
  /** What the page is called when that depends on what it shows; null for what its line of the table says. By what the queries left. */
  title?: (client: QueryClient, place: Place) => string | null
}

/** What every page is called at whose address there is nothing, whatever page was meant. */
export const notFoundTitle = 'Not Found'

/**
 * One line of the table of pages. Every visitor fetches the table, once the first page has started, so it imports nothing:
 * neither pages nor contracts, which bring their schemas along.
 */
export type PageEntry = {
  /** `/services/:uuid/`, matched whole with its closing slash; or a RegExp with named groups. */
  path: string | RegExp
  title: string
  /** The page itself. Written as `load: () => import('…')`, which the build reads too; so is `needs`. */
  load: () => Promise<{ default: ComponentType<PageProps> }>
  needs?: () => Promise<PageNeeds>
  status?: 404
  /** The source files behind the two, written by the build so that the server knows the page's chunks. */
  loadModule?: string
  needsModule?: string
}

type Page = PageEntry & { pattern: RegExp }
export type Pages = readonly Page[]

/** `canonical` is the path's right spelling when only a closing slash was too many or missing. */
export type Match<P = Page> = { page: P; params: Params; canonical: string | null }

/** What a path leads to, of which a browser knows everything but its line of the table, as long as that is on its way. */
export type Found = Match<Omit<PageEntry, 'path'>>

/** The table of pages as far as it is here: a browser begins with the page that it was sent, and fetches the others. */
export type Table = {
  /** The page of a path, which is the not-found page when there is no other; null while that is not known. */
  match(path: string): Found | null
  /** Fetches what is missing. */
  complete(): Promise<void>
}

/** All of it at once. */
export const wholeTable = (pages: Pages): Table => ({
  match: (path) => matchPage(pages, path),
  complete: async () => {},
})

/**
 * Makes the table of pages; the first that matches wins.
 * @throws Error unless the last one is the not-found page, so that every path has a page
 */
export function definePages(entries: readonly PageEntry[]): Pages {
  const pages = entries.map((entry) => ({ ...entry, pattern: patternOf(entry.path) }))
  const last = pages.at(-1)
  if (last?.status !== 404 || !last.pattern.test(''))
    throw new Error('The last page must match every path and have status 404.')
  return pages
}

/** The page of a path, which is the not-found page when there is no other. */
export function matchPage(pages: Pages, path: string): Match {
  const exact = find(pages, path)
  if (exact.page.status !== 404) return exact
  const canonical = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const near = find(pages, canonical)
  return near.page.status === 404 ? exact : { ...near, canonical }
}

function find(pages: Pages, path: string): Match {
  for (const page of pages) {
    const params = paramsOf(page.pattern.exec(path))
    if (params) return { page, params, canonical: null }
  }
  throw new Error('A table of pages without a not-found page')
}

function paramsOf(found: RegExpExecArray | null): Params | null {
  if (!found) return null
  try {
    const named = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined)
    return Object.fromEntries(named.map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    // A broken percent sequence is no page's path.
    return null
  }
}

function patternOf(path: string | RegExp): RegExp {
  if (path instanceof RegExp) return path
  const source = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${source}$`)
}
