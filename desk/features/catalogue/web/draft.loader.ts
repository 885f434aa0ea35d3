import { ApiError } from '#kit/contract/errors.ts'
import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { draftQuery } from './catalogue.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  draftQuery(api, params['number'] ?? ''),
]
export const redirect = me.redirect
export const notFound: PageLoader['notFound'] = (client, { number = '' }) => {
  const { error } = client.getQueryState(['catalogue-draft', number])
  return error instanceof ApiError && error.status === 404
}
export const title: PageLoader['title'] = (_, { params: { number = '' } }) => `Draft ${number}`
