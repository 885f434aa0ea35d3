import { ownPath } from '../../contract/own-path.ts'
import type { Found } from '../page.ts'
import type { QueryClient } from '../query/query-client.ts'
import { loadedNeeds } from './load.ts'

/** The redirect target is always a path of this portal: an address that leads elsewhere becomes `/`. `null` to stay. */
export function redirectOf(match: Found, place: { path: string; search: string }, client: QueryClient): string | null {
  const { page, params, canonical } = match
  const { path, search } = place
  const target =
    canonical === null
      ? (loadedNeeds(page)?.redirect?.(client, { path, search, params }) ?? null)
      : withSearch(canonical, search)
  if (target === null) return null
  const safe = ownPath(target)
  return safe === ownPath(withSearch(path, search)) ? null : safe
}

const withSearch = (path: string, search: string): string => (search ? `${path}?${search}` : path)
