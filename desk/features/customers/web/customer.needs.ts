import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { customerQuery, isCustomerMissing } from './customers.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => {
  const { id = '' } = params
  return [...me.queries(api, params, search), customerQuery(api, id)]
}
export const redirect: PageNeeds['redirect'] = me.only('support', 'finance')
export const missing: PageNeeds['missing'] = isCustomerMissing
