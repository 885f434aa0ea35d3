import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { limitsQuery } from './limits.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  limitsQuery(api),
]
export const redirect: PageNeeds['redirect'] = me.only('admin')
