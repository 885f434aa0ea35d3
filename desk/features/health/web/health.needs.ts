import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { healthQuery, noticesQuery } from './health.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  healthQuery(api),
  noticesQuery(api),
]
export const redirect: PageNeeds['redirect'] = me.redirect
