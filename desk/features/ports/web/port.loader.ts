import { ApiError } from '#kit/contract/errors.ts'
import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { portQuery } from './ports.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  portQuery(api, params['reference'] ?? ''),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support')
export const notFound: PageLoader['notFound'] = (client, { reference = '' }) => {
  const { error } = client.getQueryState(['port', reference])
  return error instanceof ApiError && error.status === 404
}
export const title: PageLoader['title'] = () => 'Port'
