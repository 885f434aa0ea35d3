import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { portsFilterFromUrl, portFiguresQuery, portsQuery } from './ports.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  portsQuery(api, portsFilterFromUrl(search)),
  portFiguresQuery(api),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support')
