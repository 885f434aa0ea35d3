import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { ordersQuery, ordersFilterFromUrl } from './orders.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  ordersQuery(api, ordersFilterFromUrl(search)),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'finance')
