import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { approvalsQuery } from '#desk/features/approvals/web/approvals.queries.ts'
import { teamQuery } from './team.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  teamQuery(api),
  approvalsQuery(api),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('admin', 'lead')
