import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { tasksQuery, todayQuery } from './today.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  todayQuery(api),
  tasksQuery(api),
]
export const redirect: PageNeeds['redirect'] = me.redirect
