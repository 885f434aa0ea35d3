import { ApiError } from '#kit/contract/errors.ts'
import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { batchQuery } from './stock.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  batchQuery(api, params['id'] ?? ''),
]
export const redirect: PageLoader['redirect'] = me.redirect
export const notFound: PageLoader['notFound'] = (client, { id = '' }) => {
  const { error } = client.getQueryState(['batch', id])
  return error instanceof ApiError && error.status === 404
}
export const title: PageLoader['title'] = (_, { params: { id = '' } }) => `Batch ${id}`
