import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'

export const queries: NonNullable<PageLoader['queries']> = me.queries
export const redirect: PageLoader['redirect'] = me.redirectUnlessInGroup('support', 'admin')
