import { type Found, notFoundTitle, type Place } from '../page.ts'
import type { QueryClient } from '../query/query-client.ts'
import { loadedNeeds } from './load.ts'

/** Whether there is nothing at this address: by its path, or by what its page's queries have left. */
export const isMissing = ({ page, params }: Found, client: QueryClient): boolean =>
  page.status === 404 || loadedNeeds(page)?.missing?.(client, params) === true

/** What the browser's tab calls a page, the same on the server and in the browser. */
export function titleOf(match: Found, { path, search }: Omit<Place, 'params'>, client: QueryClient): string {
  const { page, params } = match
  if (isMissing(match, client)) return notFoundTitle
  return loadedNeeds(page)?.title?.(client, { path, search, params }) ?? page.title
}

/** With the provider's name. */
export const tabTitle = (title: string, brand: { name: string }): string => `${title} · ${brand.name}`
