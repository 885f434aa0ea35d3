import { ApiError } from '#kit/contract/errors.ts'
import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { disputeQuery } from './money.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  disputeQuery(api, params['reference'] ?? ''),
]
export const redirect: PageNeeds['redirect'] = me.only('finance')
export const missing: PageNeeds['missing'] = (client, { reference = '' }) => {
  const { error } = client.getQueryState(['dispute', reference])
  return error instanceof ApiError && error.status === 404
}
export const title: PageNeeds['title'] = (_, { params: { reference = '' } }) => `Dispute ${reference}`
