import { ApiError } from '#kit/contract/errors.ts'
import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { disputeQuery } from './money.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  disputeQuery(api, params['reference'] ?? ''),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('finance')
export const notFound: PageLoader['notFound'] = (client, { reference = '' }) => {
  const { error } = client.getQueryState(['dispute', reference])
  return error instanceof ApiError && error.status === 404
}
export const title: PageLoader['title'] = (_, { params: { reference = '' } }) => `Dispute ${reference}`
