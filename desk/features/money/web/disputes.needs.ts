import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { disputesIn, disputesQuery } from './money.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  disputesQuery(api, disputesIn(search)),
]
export const redirect: PageNeeds['redirect'] = me.only('finance')
