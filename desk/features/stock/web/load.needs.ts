import { ApiError } from '#kit/contract/errors.ts'
import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { linesIn, loadQuery } from './stock.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  loadQuery(api, params['id'] ?? '', linesIn(search)),
]
export const redirect: PageNeeds['redirect'] = me.only('support', 'admin')
export const missing: PageNeeds['missing'] = (client, { id = '' }) => {
  const { error } = client.getQueryState(['load', id, '', ''])
  return error instanceof ApiError && error.status === 404
}
export const title: PageNeeds['title'] = (_, { params: { id = '' } }) => `Load ${id}`
