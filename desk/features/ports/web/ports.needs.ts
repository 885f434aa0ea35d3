import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { placeIn, portFiguresQuery, portsQuery } from './ports.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  portsQuery(api, placeIn(search)),
  portFiguresQuery(api),
]
export const redirect: PageNeeds['redirect'] = me.only('support')
