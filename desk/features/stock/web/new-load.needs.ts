import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'

export const queries: NonNullable<PageNeeds['queries']> = me.queries
export const redirect: PageNeeds['redirect'] = me.only('support', 'admin')
