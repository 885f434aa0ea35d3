import type { PageNeeds } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.needs.ts'
import { meIn } from '#desk/features/staff/web/me.queries.ts'
import { checksQuery } from './checks.queries.ts'

export const queries: NonNullable<PageNeeds['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  checksQuery(api),
]
export const redirect: NonNullable<PageNeeds['redirect']> = (client, place) =>
  me.redirect(client, place) ?? (meIn(client)?.is_lead ? null : '/')
