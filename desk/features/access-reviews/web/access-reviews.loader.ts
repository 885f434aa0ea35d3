import type { PageLoader } from '#kit/web/page.ts'
import * as me from '#desk/features/staff/web/me.loader.ts'
import { getCachedMe, canReviewAccess } from '#desk/features/staff/web/me.queries.ts'
import { accessReviewQuery } from './access-reviews.queries.ts'

export const queries: NonNullable<PageLoader['queries']> = (api, params, search) => [
  ...me.queries(api, params, search),
  accessReviewQuery(api),
]
export const redirect: NonNullable<PageLoader['redirect']> = (client, place) =>
  me.redirect(client, place) ?? (canReviewAccess(getCachedMe(client)) ? null : me.notAllowedPath(['lead']))
