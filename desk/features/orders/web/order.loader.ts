import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { isOrderMissing, orderQuery } from './orders.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  orderQuery(api, params['code'] ?? ''),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'finance')
export const notFound: PageLoader['notFound'] = isOrderMissing
export const title: PageLoader['title'] = (_, { params: { code = '' } }) => code.toUpperCase()
