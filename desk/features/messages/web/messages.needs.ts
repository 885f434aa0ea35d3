import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { domainsQuery, messagesQuery, wishIn } from './messages.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  domainsQuery(api),
  messagesQuery(api, wishIn(search)),
]
export const redirect: PageNeeds['redirect'] = me.only('support', 'finance')
