import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { disputesIn, disputesQuery } from './money.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  disputesQuery(api, disputesIn(search)),
]
/** `/money/approvals/` redirects to Today, where requests are decided. `/money/disputes/` redirects to `/money/`. */
export const redirect: NonNullable<PageNeeds['redirect']> = (client, place) => {
  if (place.path === '/money/approvals/') return me.redirect(client, place) ?? '/'
  return me.only('finance')(client, place) ?? (place.path === '/money/' ? null : '/money/')
}
