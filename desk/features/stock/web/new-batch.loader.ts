import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { stockQuery } from './stock.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  stockQuery(api),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('admin')
