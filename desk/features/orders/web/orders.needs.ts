import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { ordersQuery, placeIn } from './orders.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  ordersQuery(api, placeIn(search)),
]
export const redirect: PageNeeds['redirect'] = me.only('support', 'finance')
