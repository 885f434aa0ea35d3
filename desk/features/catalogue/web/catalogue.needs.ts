import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { catalogueQuery } from './catalogue.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  catalogueQuery(api),
]
export const redirect = me.redirect
