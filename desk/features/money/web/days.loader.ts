import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { dayFromUrl, dailyTotalsQuery } from './money.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  dailyTotalsQuery(api, dayFromUrl(search)),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('finance')
