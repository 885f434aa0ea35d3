import { type MatchedPage, notFoundTitle, type PageLocation } from '../page.ts'
import type { QueryClient } from '../query/query-client.ts'
import { getLoadedPageLoader } from './page-modules.ts'

export const isPageMissing = ({ page, params }: MatchedPage, client: QueryClient): boolean =>
  page.status === 404 || getLoadedPageLoader(page)?.notFound?.(client, params) === true

export function getPageTitle(
  match: MatchedPage,
  { path, search }: Omit<PageLocation, 'params'>,
  client: QueryClient,
): string {
  const { page, params } = match
  if (isPageMissing(match, client)) return notFoundTitle
  return getLoadedPageLoader(page)?.title?.(client, { path, search, params }) ?? page.title
}

export const formatTabTitle = (title: string, brand: { name: string }): string => `${title} · ${brand.name}`
