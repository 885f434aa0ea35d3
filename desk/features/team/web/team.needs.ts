import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { approvalsQuery } from '#desk/features/approvals/web/approvals.queries.ts'
import { teamQuery } from './team.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  teamQuery(api),
  approvalsQuery(api),
]
export const redirect: PageNeeds['redirect'] = me.only('admin')
