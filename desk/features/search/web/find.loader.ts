import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { searchQuery, searchTextFromUrl } from './search.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  searchQuery(api, searchTextFromUrl(search)),
]
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'finance')
