import type { PageNeeds } from '#kit/web/page.ts'
import type { Role } from '../staff.contract.ts'
import { hasRole, meIn, meQuery } from './me.queries.ts'

type Redirect = NonNullable<PageNeeds['redirect']>

export const queries: NonNullable<PageNeeds['queries']> = (api) => [meQuery(api)]

export const redirect: Redirect = (client, { path, search }) => {
  if (meIn(client)) return null
  const wanted = search ? `${path}?${search}` : path
  return wanted === '/' ? '/sign-in/' : `/sign-in/?${new URLSearchParams({ next: wanted })}`
}

export const only =
  (...roles: Role[]): Redirect =>
  (client, place) =>
    redirect(client, place) ?? (hasRole(meIn(client), roles) ? null : '/')
