import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { healthQuery, noticesQuery } from './health.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  healthQuery(api),
  noticesQuery(api),
]
export const redirect: PageLoader['redirect'] = me.redirect
