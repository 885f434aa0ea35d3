import type { PageLoader } from '#kit/web/page.ts'
import type { Role } from '../staff.contract.ts'
import { hasRole, cachedMe, meQuery } from './me.queries.ts'

type Redirect = NonNullable<PageLoader['redirect']>

export const queries: NonNullable<PageLoader['queries']> = (api) => [meQuery(api)]

export const redirect: Redirect = (client, { path, search }) => {
  if (cachedMe(client)) return null
  const requestedPath = search ? `${path}?${search}` : path
  return requestedPath === '/' ? '/sign-in/' : `/sign-in/?${new URLSearchParams({ next: requestedPath })}`
}

export const redirectUnlessRole =
  (...roles: Role[]): Redirect =>
  (client, place) =>
    redirect(client, place) ?? (hasRole(cachedMe(client), roles) ? null : '/')
