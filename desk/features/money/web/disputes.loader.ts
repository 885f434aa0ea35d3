import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { disputesFilterFromUrl, disputesQuery } from './money.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  disputesQuery(api, disputesFilterFromUrl(search)),
]
/** `/money/approvals/` redirects to the Today page, where requests are decided. `/money/disputes/` redirects to `/money/`. */
export const redirect: NonNullable<PageLoader['redirect']> = (client, place) => {
  if (place.path === '/money/approvals/') return me.redirect(client, place) ?? '/'
  return me.redirectUnlessInGroup('finance')(client, place) ?? (place.path === '/money/' ? null : '/money/')
}
