import type { PageLoader } from '#kit/web/page.ts'
import type { StaffGroup } from '../staff.contract.ts'
import { getCachedMe, isInAnyGroup, meQuery } from './me.queries.ts'

type Redirect = NonNullable<PageLoader['redirect']>

export const queries: NonNullable<PageLoader['queries']> = (api) => [meQuery(api)]

export const redirect: Redirect = (client, { path, search }) => {
  if (getCachedMe(client)) return null
  const requestedPath = search ? `${path}?${search}` : path
  return requestedPath === '/' ? '/sign-in/' : `/sign-in/?${new URLSearchParams({ next: requestedPath })}`
}

/** The address of the page that says which groups may open the requested page. */
export const notAllowedPath = (groups: readonly StaffGroup[]): string =>
  `/not-allowed/?${new URLSearchParams({ needs: groups.join() })}`

/** Redirects staff who are in none of these groups to a page that says who may open the requested page. */
export const redirectUnlessInGroup =
  (...groups: StaffGroup[]): Redirect =>
  (client, place) =>
    redirect(client, place) ?? (isInAnyGroup(getCachedMe(client), groups) ? null : notAllowedPath(groups))
