import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { stockQuery } from './stock.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  stockQuery(api),
]
export const redirect: NonNullable<PageNeeds['redirect']> = (client, place) =>
  me.redirect(client, place) ?? (place.path === '/stock/' ? null : '/stock/')
