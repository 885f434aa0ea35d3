import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { customerQuery, isCustomerMissing, accessLogQuery } from './customers.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => {
  const { id = '' } = params
  return [...me.queries(api, params, search), customerQuery(api, id), accessLogQuery(api, id)]
}
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'finance')
export const notFound: PageLoader['notFound'] = isCustomerMissing
