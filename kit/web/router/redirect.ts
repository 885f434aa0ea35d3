import { toPortalPath } from '../../contract/portal-path.ts'
import type { MatchedPage } from '../page.ts'
import type { QueryClient } from '../query/query-client.ts'
import { getLoadedPageLoader } from './page-modules.ts'

/**
 * Returns the path that a page redirects to, or `null` to stay. The target is always a path in this portal: an address outside it becomes
 * `/`.
 */
export function findRedirect(
  match: MatchedPage,
  place: { path: string; search: string },
  client: QueryClient,
): string | null {
  const { page, params, canonical } = match
  const { path, search } = place
  const target =
    canonical === null
      ? (getLoadedPageLoader(page)?.redirect?.(client, { path, search, params }) ?? null)
      : appendSearch(canonical, search)
  if (target === null) return null
  const safeTarget = toPortalPath(target)
  return safeTarget === toPortalPath(appendSearch(path, search)) ? null : safeTarget
}

const appendSearch = (path: string, search: string): string => (search ? `${path}?${search}` : path)
