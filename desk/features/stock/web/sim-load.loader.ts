import { ApiError } from '#kit/contract/errors.ts'
import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { badLinesFilterFromUrl, simLoadQuery } from './stock.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  simLoadQuery(api, params['id'] ?? '', badLinesFilterFromUrl(search)),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'admin')
export const notFound: PageLoader['notFound'] = (client, { id = '' }) => {
  const { error } = client.getQueryState(['load', id, '', ''])
  return error instanceof ApiError && error.status === 404
}
export const title: PageLoader['title'] = (_, { params: { id = '' } }) => `Load ${id}`
