import { ApiError } from '#kit/contract/errors.ts'
import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { orderQuery } from './orders.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  orderQuery(api, params['code'] ?? ''),
]
export const redirect: PageNeeds['redirect'] = me.only('support', 'finance')
export const missing: PageNeeds['missing'] = (client, { code = '' }) => {
  const { error } = client.getQueryState(['order', code])
  return error instanceof ApiError && error.status === 404
}
export const title: PageNeeds['title'] = (_, { params: { code = '' } }) => code.toUpperCase()
