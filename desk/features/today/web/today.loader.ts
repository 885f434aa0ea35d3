import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { taskKindFromUrl, tasksQuery, todayQuery } from './today.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  todayQuery(api),
  tasksQuery(api, taskKindFromUrl(search)),
]
export const redirect: PageLoader['redirect'] = me.redirect
