import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { isNumberMissing, numberQuery } from './number.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => {
  const { id = '', service = '' } = params
  return [...me.queries(api, params, search), numberQuery(api, id, service)]
}
export const redirect: PageNeeds['redirect'] = me.only('support', 'finance')
export const missing: PageNeeds['missing'] = isNumberMissing
