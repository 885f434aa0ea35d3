import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { isNumberMissing, numberQuery } from './number.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => {
  const { id = '', service = '' } = params
  return [...me.queries(api, params, search), numberQuery(api, id, service)]
}
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'finance')
export const notFound: PageLoader['notFound'] = isNumberMissing
