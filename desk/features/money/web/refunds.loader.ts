import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { refundsFilterFromUrl, refundsQuery } from './money.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  refundsQuery(api, refundsFilterFromUrl(search)),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('finance')
