import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from './account.queries.ts'
import { forUnverified } from './guards.ts'
import { cameByLink } from './verify-link.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]

/** Open to anyone who came by the link in a mail, who need not be signed in. */
export const redirect: PageNeeds['redirect'] = (client, place) =>
  cameByLink(place.search) ? null : forUnverified(client, place)
