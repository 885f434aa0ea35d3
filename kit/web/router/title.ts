import { type Found, notFoundTitle, type Place } from '../page.ts'
import type { QueryClient } from '../query/query-client.ts'
import { loadedNeeds } from './load.ts'

export const isMissing = ({ page, params }: Found, client: QueryClient): boolean =>
  page.status === 404 || loadedNeeds(page)?.missing?.(client, params) === true

export function titleOf(match: Found, { path, search }: Omit<Place, 'params'>, client: QueryClient): string {
  const { page, params } = match
  if (isMissing(match, client)) return notFoundTitle
  return loadedNeeds(page)?.title?.(client, { path, search, params }) ?? page.title
}

export const tabTitle = (title: string, brand: { name: string }): string => `${title} · ${brand.name}`
