import type { PageNeeds } from '#kit/web/page.ts'
import type { Role } from '../staff.contract.ts'
import { hasRole, meIn, meQuery } from './me.queries.ts'

// Every page of the desk but its doors needs this: a page's own needs take them over, and add to them.

type Redirect = NonNullable<PageNeeds['redirect']>

export const queries: NonNullable<PageNeeds['queries']> = (api) => [meQuery(api)]

/** Whoever is not signed in does that first, and comes back. */
export const redirect: Redirect = (client, { path, search }) => {
  if (meIn(client)) return null
  const wanted = search ? `${path}?${search}` : path
  return wanted === '/' ? '/sign-in/' : `/sign-in/?${new URLSearchParams({ next: wanted })}`
}

/** The redirect of a page that is for these roles: anybody else begins with today. */
export const only =
  (...roles: Role[]): Redirect =>
  (client, place) =>
    redirect(client, place) ?? (hasRole(meIn(client), roles) ? null : '/')
