import type { PageNeeds } from '#kit/web/page.ts'
import type { Role } from '../staff.contract.ts'
import { hasRole, meIn, meQuery } from './me.queries.ts'

// Every page of the desk behind the sign-in needs this data. The page's own loader includes this one and adds to it.

type Redirect = NonNullable<PageNeeds['redirect']>

export const queries: NonNullable<PageNeeds['queries']> = (api) => [meQuery(api)]

/** Sends a visitor who is not signed in to the sign-in page, which leads back here. */
export const redirect: Redirect = (client, { path, search }) => {
  if (meIn(client)) return null
  const wanted = search ? `${path}?${search}` : path
  return wanted === '/' ? '/sign-in/' : `/sign-in/?${new URLSearchParams({ next: wanted })}`
}

/** Redirect of a page for these roles. Other staff are sent to Today. */
export const only =
  (...roles: Role[]): Redirect =>
  (client, place) =>
    redirect(client, place) ?? (hasRole(meIn(client), roles) ? null : '/')
